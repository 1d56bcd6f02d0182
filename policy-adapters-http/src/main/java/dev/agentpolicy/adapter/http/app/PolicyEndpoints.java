package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.app.ConfirmedCalls.Confirmed;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTest;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.ListedIpsVersion;
import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.ReadState.IpsInForce;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.request.AttestRequest.Selection;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Answers calls about the policy in force and the keys of agents. */
record PolicyEndpoints(AppUseCases useCases, ConfirmedCalls confirmed) {
    private static final String PATH = "ips";
    private static final String PROMOTION = "ips/shadow/promote";
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int ACCEPTED = 202;
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,8}");
    private static final String APPROVALS = "approvals";
    private static final int MAX_LIMIT = 100;
    private static final int DEFAULT_LIMIT = 25;
    /** Maximum number of versions in a page with documents, each of which can have 32 KiB. */
    static final int MAX_DOCUMENTS = 10;

    void read(AppCall call) {
        IpsInForce found = useCases.readState()
                .ips(call.user())
                .orElseThrow(() ->
                        new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "No policy has been set yet.")));
        call.answer(out -> IpsJson.write(out, found));
    }

    void put(AppCall call) {
        Integer ifVersion = ifVersion(call);
        Confirmed<Put> sent = confirmed.readSigned(call, body -> Put.read(body, ifVersion));
        requirePassing(call.user(), sent.change());
        answer(call, useCases.amendIps().put(sent.owner(), sent.change().amendment()));
    }

    private static @Nullable Integer ifVersion(AppCall call) {
        return call.query()
                .parameter("ifVersion", "must be the number of a version", PolicyEndpoints::number)
                .orElse(null);
    }

    /** Whether a call is {@link #put}, which a passkey confirms by signing the policy. */
    static boolean isPut(String method, String path) {
        return method.equals("PUT") && AppApi.isPath(path, PATH);
    }

    /** Whether a call is {@link #promoteShadow}, which a passkey confirms by signing the policy of the shadow. */
    static boolean isPromotion(String method, String path) {
        return method.equals("POST") && AppApi.isPath(path, PROMOTION);
    }

    /** The policy that a body of {@link #put} sets. */
    static Reading<Ips> put(Document body) {
        return amendment(ConfirmedCalls.unconfirmed(body)).then(read -> Reading.of(read.ips()));
    }

    /** A policy to put in force, and whether it may fail tests. */
    private record Put(Amendment amendment, boolean ignoresTests) {
        private static final String IGNORE = "ignoreTests";

        static Reading<Put> read(Document sent, @Nullable Integer ifVersion) {
            Object ignores = sent.get(IGNORE);
            if (ignores != null && !(ignores instanceof Boolean)) {
                return Reading.wrong(List.of(new Problem(IGNORE, IGNORE + " must be true or false.")));
            }
            Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
            members.remove(IGNORE);
            return statement(new Document(members, sent.repeated()), ifVersion)
                    .then(read -> Reading.of(new Put(read, Boolean.TRUE.equals(ignores))));
        }
    }

    private void requirePassing(UserId user, Put put) {
        if (put.ignoresTests()) {
            return;
        }
        List<PolicyTest.Result> failures =
                useCases.testIps().failures(user, put.amendment().ips());
        if (!failures.isEmpty()) {
            throw new RejectedRequest(ErrorResponse.testsFailed(failures));
        }
    }

    /**
     * A shadow to put in force.
     *
     * @param since when the shadow was set that the user has seen; null for any
     * @param ignoresTests whether it may fail tests
     */
    private record Promotion(@Nullable Instant since, boolean ignoresTests) {
        static Reading<Promotion> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            Instant since = Codec.DATE_TIME.reader().read(fields, "since");
            Boolean ignores = fields.truth(Put.IGNORE);
            return fields.finish(() -> new Promotion(since, Boolean.TRUE.equals(ignores)));
        }
    }

    /** Puts the shadow in force as {@link #put} does, and ends it then. */
    void promoteShadow(AppCall call) {
        Integer ifVersion = ifVersion(call);
        Confirmed<Promotion> sent = confirmed.readSignedOptional(call, Promotion::read);
        ShadowIps shadow = Reply.given(
                useCases.rehearseIps().toPromote(call.user(), sent.change().since()));
        Amendment amendment = new Amendment(shadow.statement(), shadow.keepsApprovals(), ifVersion);
        requirePassing(call.user(), new Put(amendment, sent.change().ignoresTests()));
        Reply.onServerThread(call.ctx(), useCases.amendIps().put(sent.owner(), amendment), answer -> {
            Amended amended = Reply.given(answer);
            useCases.rehearseIps().promoted(call.user(), shadow);
            answer(call, amended);
        });
    }

    /**
     * What a pause ends.
     *
     * @param cancelsOrders whether orders under way are taken back
     * @param rejectsWaiting whether requests that wait for the user are rejected
     */
    private record Stop(boolean cancelsOrders, boolean rejectsWaiting) {
        static Reading<Stop> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            Boolean cancels = fields.truth("cancelOrders");
            Boolean rejects = fields.truth("rejectWaiting");
            return fields.finish(() -> new Stop(Boolean.TRUE.equals(cancels), Boolean.TRUE.equals(rejects)));
        }
    }

    /**
     * What a pause came to.
     *
     * @param takenBack orders that the custodians are asked to cancel; null when that was not asked for
     * @param rejected requests; null when that was not asked for
     */
    private record Stopped(
            Amended amended,
            @Nullable Integer takenBack,
            @Nullable Integer rejected) {}

    /** Agents are paused before anything is ended, so that nothing new comes meanwhile. */
    void pause(AppCall call) {
        Stop stop = Body.readOptional(call.ctx(), Stop::read);
        CompletionStage<Answer<Amended>> paused = useCases.amendIps().pause(call.user(), true);
        if (!stop.cancelsOrders() && !stop.rejectsWaiting()) {
            call.answer(200, paused, PolicyEndpoints::paused);
            return;
        }
        call.answer(
                200,
                paused.thenApplyAsync(
                        answer -> answer.map(amended -> stopped(call.user(), stop, amended)), useCases.asking()),
                (out, stopped) -> {
                    paused(out, stopped.amended());
                    out.present("ordersTakenBack", stopped.takenBack(), JsonWriter::integer)
                            .present("requestsRejected", stopped.rejected(), JsonWriter::integer);
                });
    }

    private Stopped stopped(UserId user, Stop stop, Amended amended) {
        Integer rejected = stop.rejectsWaiting()
                ? useCases.attestRequest().rejectMany(user, new Selection(null, null, Rejected.PAUSED))
                : null;
        Integer takenBack = stop.cancelsOrders() ? useCases.executeOrders().cancelAll(user) : null;
        return new Stopped(amended, takenBack, rejected);
    }

    void resume(AppCall call) {
        ConfirmingOwner owner = confirmed.owner(call);
        call.answer(200, useCases.amendIps().pause(owner, false), PolicyEndpoints::paused);
    }

    private static void paused(JsonWriter out, Amended amended) {
        out.integer("ipsVersion", amended.version().version())
                .truth("paused", amended.version().ips().isPaused());
    }

    void approve(AppCall call) {
        Confirmed<Approval> sent = confirmed.read(call, body -> Approval.SCHEMA.read(body, Decimals.NUMBERS));
        answer(call, useCases.amendIps().approve(sent.owner(), sent.change()));
    }

    private static void answer(AppCall call, CompletionStage<Answer<Amended>> change) {
        Reply.onServerThread(call.ctx(), change, answer -> answer(call, Reply.given(answer)));
    }

    private static void answer(AppCall call, Amended amended) {
        Reply.object(call.ctx(), amended.scheduled() == null ? OK : ACCEPTED, out -> IpsJson.write(out, amended));
    }

    /** Ends the policy that waits. */
    void cancelScheduled(AppCall call) {
        Reply.onServerThread(call.ctx(), useCases.amendIps().cancelScheduled(call.user()), call::answerNothing);
    }

    void versions(AppCall call) {
        Query query = call.query();
        int before = query.parameter("cursor", "must be the nextCursor of a page", PolicyEndpoints::number)
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
        IpsVersion found = version.orElseThrow(() ->
                new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no version with this number.")));
        call.answer(out -> IpsJson.write(out, found));
    }

    private static @Nullable Integer number(String text) {
        return NUMBER.matcher(text).matches() ? Integer.valueOf(text) : null;
    }

    static Reading<Amendment> amendment(Document sent) {
        return Put.read(sent, null).then(put -> Reading.of(put.amendment()));
    }

    /**
     * Reads a policy. Members that only describe a version, or what is used of an approval, are ignored, so that a policy
     * that was read can be sent back.
     */
    private static Reading<Amendment> statement(Document sent, @Nullable Integer ifVersion) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_VERSION.forEach(members::remove);
        boolean keepsApprovals = members.get(APPROVALS) == null;
        if (members.get(APPROVALS) instanceof List<?> approvals) {
            members.put(
                    APPROVALS,
                    approvals.stream().map(PolicyEndpoints::withoutUse).toList());
        }
        return IpsDocument.read(new Document(members, sent.repeated()))
                .then(ips -> Reading.of(new Amendment(ips, keepsApprovals, ifVersion)));
    }

    private static @Nullable Object withoutUse(@Nullable Object approval) {
        if (!(approval instanceof Document sent)) {
            return approval;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>(sent.members());
        IpsJson.OF_THE_USE.forEach(members::remove);
        return new Document(members, sent.repeated());
    }

    // Keys

    void mintKey(AppCall call) {
        Confirmed<KeyRequest> sent = confirmed.read(call, KeyRequest::read);
        call.answer(CREATED, useCases.issueKeys().mint(sent.owner(), sent.change()), KeyJson::issued);
    }

    void keys(AppCall call) {
        List<AgentKey> keys = useCases.issueKeys().list(call.user());
        call.answer(out -> out.array(
                "keys",
                keys,
                (each, key) -> KeyJson.inUse(each, key, useCases.readState().used(call.user(), key))));
    }

    void changeKey(AppCall call) {
        AgentKeyId id = keyId(call);
        Confirmed<KeyChange> sent = confirmed.read(call, KeyChange::read);
        call.answer(200, useCases.issueKeys().change(sent.owner(), id, sent.change()), KeyJson::write);
    }

    void rotateKey(AppCall call) {
        AgentKeyId id = keyId(call);
        Confirmed<Duration> sent = confirmed.readOptional(call, PolicyEndpoints::overlap);
        call.answer(200, useCases.issueKeys().rotate(sent.owner(), id, sent.change()), KeyJson::issued);
    }

    private static Reading<Duration> overlap(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Integer minutes = fields.integer("overlapMinutes", 0, Math.toIntExact(IssueKeys.MAX_OVERLAP.toMinutes()));
        return fields.finish(() -> Duration.ofMinutes(minutes == null ? 0 : minutes));
    }

    void revokeKey(AppCall call) {
        call.answer(200, useCases.issueKeys().revoke(call.user(), keyId(call)), KeyJson::write);
    }

    /** The id of the key that the path names. */
    static AgentKeyId keyId(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no working key with this id."));
        }
        return new AgentKeyId(id);
    }
}
