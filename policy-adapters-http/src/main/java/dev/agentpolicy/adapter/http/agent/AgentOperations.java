package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.agent.CallGate.Operation;
import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.json.BatchJson;
import dev.agentpolicy.adapter.http.json.BatchJson.Item;
import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.ReadAudit;
import dev.agentpolicy.domain.usecase.agent.ReadHeadroom;
import dev.agentpolicy.domain.usecase.agent.ReadUsage;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Everything that agents can ask for with their keys (docs/reference/agent-api.md). The agent API and the MCP endpoint offer
 * the same operations, so that limits, counts and error texts are the same.
 *
 * @param share limits reads, together with what the user reads in the app
 */
public record AgentOperations(ReadUsage usage, FairShare share) {

    public Operation whoami() {
        return new Operation(
                Access.ANY_KEY,
                call -> call.answer(out -> KeyJson.write(out, call.caller().key(), call.budget())));
    }

    public Operation mandate() {
        return new Operation(
                Access.READ_WITH_KEY,
                call -> Reply.onCompletingThread(
                        call.ctx(),
                        call.useCases().readState().mandate(call.caller(), call.callsToday()),
                        written(call, IpsJson::write)));
    }

    public Operation holdings() {
        return new Operation(
                Access.READ_WITH_KEY,
                call -> Reply.onCompletingThread(
                        call.ctx(),
                        call.useCases().readState().holdings(call.caller()),
                        written(call, HoldingsJson::write)));
    }

    // Decisions

    public Operation validate() {
        return new Operation(
                Access.VALIDATE,
                call -> call.read(
                        TradePayload::read, trade -> validate(call, trade), wrong -> deny(call, wrong, "allowed")));
    }

    private static void validate(AgentCall call, SentTrade trade) {
        Reply.onCompletingThread(
                call.ctx(),
                call.useCases().validateTrade().one(call.caller(), trade),
                call.answering(
                        recorded -> call.answer(recorded.receipt(), out -> DecisionJson.write(out, recorded.value()))));
    }

    public Operation validateBatch() {
        return new Operation(
                Access.VALIDATE,
                call -> call.form()
                        .bytes(
                                call.ctx(),
                                sent -> Reply.either(
                                        BatchJson.read(sent),
                                        items -> validate(call, items),
                                        wrong -> deny(call, wrong, "allowed"))));
    }

    private static void validate(AgentCall call, List<Item> items) {
        Reply.onServerThread(
                call.ctx(),
                call.useCases()
                        .validateTrade()
                        .batch(call.caller(), items.stream().map(Item::trade).toList()),
                call.answering(recorded ->
                        call.answer(recorded.receipt(), out -> BatchJson.write(out, items, recorded.value()))));
    }

    /** One request for each Idempotency-Key (specification, Behaviour rules 4 and 5). */
    public Operation propose() {
        return new Operation(Access.PROPOSE, call -> {
            String once = call.form().idempotencyKey(call.ctx());
            call.read(ProposalBody::read, asked -> propose(call, asked, once), wrong -> deny(call, wrong, "proposed"));
        });
    }

    private static void propose(AgentCall call, ProposalBody asked, @Nullable String once) {
        Reply.onServerThread(
                call.ctx(),
                call.useCases().proposeTrade().propose(call.caller(), asked, once),
                call.answering(proposed -> call.answer(proposed.receipt(), out -> DecisionJson.write(out, proposed))));
    }

    private static void deny(AgentCall call, ErrorResponse wrong, String member) {
        call.refuse(wrong.denying(member));
    }

    // Headroom: how much of one asset, or of each known one, may be traded

    public Operation headroom() {
        return new Operation(
                Access.READ_WITH_KEY,
                call -> call.read(TradePayload::readWithoutAmount, asked -> headroom(call, asked), call::refuse));
    }

    public Operation headroomOfAll() {
        return new Operation(Access.READ_WITH_KEY, this::headroomOfAll);
    }

    /** The headroom of the asset that is asked for; of all assets, if the input is empty. */
    public Operation headroomOfOneOrAll() {
        return new Operation(
                Access.READ_WITH_KEY,
                call -> call.read(
                        Reading::of,
                        sent -> {
                            if (sent.members().isEmpty()) {
                                headroomOfAll(call);
                            } else {
                                Reply.either(
                                        TradePayload.readWithoutAmount(sent),
                                        asked -> headroom(call, asked),
                                        call::refuse);
                            }
                        },
                        call::refuse));
    }

    private void headroom(AgentCall call, SentTrade asked) {
        headroom(call, headroom -> headroom.of(call.caller(), call.callsToday(), asked), DecisionJson::write);
    }

    private void headroomOfAll(AgentCall call) {
        headroom(call, headroom -> headroom.all(call.caller(), call.callsToday()), DecisionJson::writeAll);
    }

    private <T> void headroom(
            AgentCall call, Function<ReadHeadroom, Answer<T>> question, BiConsumer<JsonWriter, T> writer) {
        call.readInTurn(
                share,
                call.caller().account(),
                () -> question.apply(call.useCases().readHeadroom()),
                written(call, writer));
    }

    // What happened

    public Operation audit() {
        return new Operation(Access.READ, call -> {
            ReadAudit audit = call.useCases().readAudit();
            UserId account = call.caller().account();
            AuditQuery query = auditQuery(call.query());
            if (query.isFiltered()) {
                call.readInTurn(share, account, () -> AuditJson.bytes(audit.read(account, query)), call::answer);
            } else {
                Reply.onServerThread(
                        call.ctx(),
                        audit.latest(account, query.limit()),
                        decisions -> share.run(
                                call.ctx(),
                                account,
                                () -> call.answer(AuditJson.bytes(audit.entries(account, decisions)))));
            }
        });
    }

    /** Recent decisions of a user, newest first, as JSON. Blocks. */
    public static byte[] audit(ReadAudit audit, UserId account, Query query) {
        return AuditJson.bytes(audit.read(account, auditQuery(query)));
    }

    /** Reads the query. Times in the log have microseconds, so {@code since} is truncated to them. */
    private static AuditQuery auditQuery(Query query) {
        return new AuditQuery(
                query.integer("limit", 1, AuditQuery.MAX_LIMIT, AuditQuery.DEFAULT_LIMIT),
                query.uuid("agentKeyId").map(AgentKeyId::new).orElse(null),
                query.truth("allowed").orElse(null),
                query.instant("since")
                        .map(since -> since.truncatedTo(ChronoUnit.MICROS))
                        .orElse(null),
                query.parameter("before", "must be a whole number from 1", text -> {
                            Long seq = Query.asNumber(text);
                            return seq == null || seq < 1 ? null : seq;
                        })
                        .orElse(null));
    }

    public Operation events() {
        return new Operation(Access.READ, call -> EventFeed.ofAgent(call, share));
    }

    /** The proof that a row is in the transparency log. A call of HTTP names the row in its path. */
    public Operation proof(ToLongFunction<AgentCall> seq) {
        return new Operation(
                Access.READ,
                call -> Reply.onServerThread(
                        call.ctx(),
                        CompletableFuture.completedFuture(call.caller().account()),
                        account -> share.read(
                                call.ctx(),
                                account,
                                () -> call.useCases().readLog().proof(account, seq.applyAsLong(call)),
                                call.answering(text -> call.form().answerText(call.ctx(), "proof", text)))));
    }

    public Operation usageOfAll() {
        return new Operation(Access.READ, call -> {
            UserId user = call.caller().key().userId();
            int days = days(call.query());
            call.readInTurn(share, user, () -> usage(usage, user, days), call::answer);
        });
    }

    /** A summary of the calls of a user's agents, as JSON. Blocks. */
    public static byte[] usage(ReadUsage usage, UserId user, Query query) {
        return usage(usage, user, days(query));
    }

    private static byte[] usage(ReadUsage usage, UserId user, int days) {
        return JsonWriter.object(out -> KeyJson.write(out, usage.report(user, days)));
    }

    private static int days(Query query) {
        return query.integer("days", 1, UsageReport.MAX_DAYS, UsageReport.DEFAULT_DAYS);
    }

    private static <T> Consumer<Answer<T>> written(AgentCall call, BiConsumer<JsonWriter, T> writer) {
        return call.answering(it -> call.answer(out -> writer.accept(out, it)));
    }
}
