package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers calls about the user's policy: read, replace, preview, try. */
record IpsEndpoints(AppUseCases useCases, FairShare share) {
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
    private static final int MAX_LIMIT = 100;
    private static final int DEFAULT_LIMIT = 25;
    /** Maximum number of versions in a page with documents, each of which can have 32 KiB. */
    static final int MAX_DOCUMENTS = 10;

    void read(AppCall call) {
        answer(call, useCases.readState().ips(call.user()), "No policy has been set yet.");
    }

    void put(AppCall call) {
        Integer ifVersion = call.query()
                .parameter("ifVersion", "must be the number of a version", IpsEndpoints::number)
                .orElse(null);
        call.read(
                sent -> amendment(sent, ifVersion),
                amendment -> answer(call, useCases.amendIps().put(call.user(), amendment)));
    }

    void pause(AppCall call) {
        pause(call, true);
    }

    void resume(AppCall call) {
        pause(call, false);
    }

    private void pause(AppCall call, boolean pauses) {
        call.readNone(() -> call.answer(
                200,
                useCases.amendIps().pause(call.user(), pauses),
                (out, amended) -> out.integer("ipsVersion", amended.version().version())
                        .truth("paused", amended.version().ips().isPaused())));
    }

    void approve(AppCall call) {
        call.read(
                sent -> Approval.SCHEMA.read(sent, Decimals.NUMBERS),
                approval -> answer(call, useCases.amendIps().approve(call.user(), approval)));
    }

    private static void answer(AppCall call, CompletionStage<Answer<Amended>> change) {
        call.answer(200, change, (out, amended) -> IpsJson.write(out, amended.version()));
    }

    void preview(AppCall call) {
        call.read(
                sent -> amendment(sent, null),
                draft -> share.run(call.ctx(), call.user(), () -> preview(call, draft), call::refuse));
    }

    private void preview(AppCall call, Amendment draft) {
        Reply.either(
                useCases.previewIps().preview(call.user(), draft),
                lines -> call.answer(out -> DecisionJson.write(out, lines)),
                call::refuse);
    }

    /** Tries a trade, which records nothing. */
    void tryTrade(AppCall call) {
        call.read(TradePayload::read, trade -> answer(call, useCases.tryTrade().underPolicy(call.user(), trade)));
    }

    void tryTradeByKey(AppCall call) {
        KeyEndpoints.withId(
                call,
                id -> call.read(
                        TradePayload::read,
                        trade -> Reply.either(
                                useCases.tryTrade().byKey(call.user(), id, trade),
                                trial -> answer(call, trial),
                                call::refuse)));
    }

    private static void answer(AppCall call, Trial trial) {
        call.answer(out -> DecisionJson.write(out, trial));
    }

    void versions(AppCall call) {
        Query query = call.query();
        int before = query.parameter("cursor", "must be the nextCursor of a page", IpsEndpoints::number)
                .orElse(Integer.MAX_VALUE);
        int limit = query.integer("limit", 1, MAX_LIMIT, DEFAULT_LIMIT);
        if (query.truth("documents").orElse(false)) {
            List<IpsVersion> page =
                    useCases.readState().ipsVersions(call.user(), before, Math.min(limit, MAX_DOCUMENTS));
            versions(call, page, IpsVersion::version, IpsJson::write);
        } else {
            List<ListedIpsVersion> page = useCases.readState().listedIpsVersions(call.user(), before, limit);
            versions(call, page, ListedIpsVersion::version, IpsJson::listed);
        }
    }

    /** Answers a page. Versions have no gaps, so there is a next page unless this one ends with the first version. */
    private static <T> void versions(
            AppCall call, List<T> page, ToIntFunction<T> number, BiConsumer<JsonWriter, T> item) {
        int last = page.isEmpty() ? 1 : number.applyAsInt(page.get(page.size() - 1));
        call.answer(
                out -> out.array("versions", page, item).text("nextCursor", last == 1 ? null : Integer.toString(last)));
    }

    void version(AppCall call) {
        String number = call.ctx().pathParam("n");
        Optional<IpsVersion> version = NUMBER.matcher(number).matches()
                ? useCases.readState().ipsVersion(call.user(), Integer.parseInt(number))
                : Optional.empty();
        answer(call, version, "There is no version with this number.");
    }

    private static void answer(AppCall call, Optional<IpsVersion> version, String orElse) {
        version.ifPresentOrElse(
                found -> call.answer(out -> IpsJson.write(out, found)),
                () -> call.refuse(ErrorResponse.of(ErrorCode.NOT_FOUND, orElse)));
    }

    private static @Nullable Integer number(String text) {
        return NUMBER.matcher(text).matches() ? Integer.valueOf(text) : null;
    }

    /**
     * Reads a policy. Members that only describe a version are ignored, so that a policy that was read can be sent
     * back.
     */
    private static Reading<Amendment> amendment(Document sent, @Nullable Integer ifVersion) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_VERSION.forEach(members::remove);
        boolean keepsApprovals = members.get("approvals") == null;
        return IpsDocument.read(new Document(members, sent.repeated()))
                .then(ips -> Reading.of(new Amendment(ips, keepsApprovals, ifVersion)));
    }
}
