package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestDispatch;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom;
import io.javalin.http.Context;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Answers how much of one asset, or of each known one, may be traded (docs/reference/agent-api.md, headroom). */
final class HeadroomEndpoints {

    private HeadroomEndpoints() {}

    static void one(AgentCall call, FairShare share) {
        call.read(TradePayload::readWithoutAmount, asked -> one(call, share, asked), call::refuse);
    }

    private static void one(AgentCall call, FairShare share, SentTrade asked) {
        read(call, share, headroom -> headroom.of(call.caller(), call.callsToday(), asked), DecisionJson::write);
    }

    /** One asset, or all if the input is empty. */
    static void oneOrAll(AgentCall call, FairShare share) {
        call.read(
                HeadroomEndpoints::readOptional,
                asked -> asked.ifPresentOrElse(it -> one(call, share, it), () -> all(call, share)),
                call::refuse);
    }

    private static Reading<Optional<SentTrade>> readOptional(Document sent) {
        return sent.members().isEmpty()
                ? Reading.of(Optional.empty())
                : TradePayload.readWithoutAmount(sent).fold(asked -> Reading.of(Optional.of(asked)), Reading::wrong);
    }

    static void all(AgentCall call, FairShare share) {
        read(call, share, headroom -> headroom.all(call.caller(), call.callsToday()), DecisionJson::writeAll);
    }

    private static <T> void read(
            AgentCall call,
            FairShare share,
            Function<ReadHeadroom, Answer<T>> question,
            BiConsumer<JsonWriter, T> writer) {
        Context ctx = call.ctx();
        RequestDispatch.blocking(
                ctx,
                () -> share.read(
                        ctx,
                        call.caller().account(),
                        () -> question.apply(call.useCases().readHeadroom()),
                        answer -> Reply.either(answer, it -> call.answer(out -> writer.accept(out, it)), call::refuse),
                        call::refuse));
    }
}
