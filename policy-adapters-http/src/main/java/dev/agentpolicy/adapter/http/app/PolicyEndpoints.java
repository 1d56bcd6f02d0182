package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.app.ConfirmedCalls.Confirmed;
import dev.agentpolicy.adapter.http.json.ComparisonJson;
import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.json.RehearsalJson;
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
import dev.agentpolicy.domain.compare.PolicyTests;
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
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.agent.ReadState.IpsInForce;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.CompareIps.BasedComparison;
import dev.agentpolicy.domain.usecase.policy.CompareIps.ComparedIps;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import dev.agentpolicy.domain.usecase.policy.ReplayIps;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Replay;
import dev.agentpolicy.domain.usecase.policy.TestIps.BasedRun;
import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;
import dev.agentpolicy.domain.usecase.request.AttestRequest.Selection;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import java.time.Duration;
import java.time.InstantSource;
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

/** Answers calls about the user's policy and the keys of agents. */
record PolicyEndpoints(AppUseCases useCases, ConfirmedCalls confirmed, InstantSource clock) {
    private static final String DOCUMENT = "document";
    private static final String PATH = "/ips";
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
        Integer ifVersion = call.query()
                .parameter("ifVersion", "must be the number of a version", PolicyEndpoints::number)
                .orElse(null);
        Confirmed<Put> sent = confirmed.readSigned(call, body -> Put.read(body, ifVersion));
        requirePassing(call.user(), sent.change());
        answer(call, useCases.amendIps().put(sent.owner(), sent.change().amendment()));
    }

    /** Whether a call is {@link #put}, which a passkey confirms by signing the policy. */
    static boolean isPut(String method, String path) {
        return method.equals("PUT") && (path.equals(PATH) || path.equals(AppApi.PREFIX + PATH.substring(1)));
    }

    /** The policy that a body of {@link #put} sets. */
    static Reading<Ips> put(Document body) {
        return amendment(ConfirmedCalls.unconfirmed(body), null).then(read -> Reading.of(read.ips()));
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

    void tests(AppCall call) {
        PolicyTests tests = useCases.testIps().tests(call.user());
        call.answer(out -> RehearsalJson.write(out, tests));
    }

    void replaceTests(AppCall call) {
        PolicyTests tests = Body.read(call.ctx(), PolicyTests::read);
        useCases.testIps().replace(call.user(), tests);
        call.answer(out -> RehearsalJson.write(out, tests));
    }

    void runTests(AppCall call) {
        Optional<Ips> document = Body.readOptional(call.ctx(), PolicyEndpoints::tested);
        BasedRun run = Reply.given(useCases.testIps().run(call.user(), document.orElse(null)));
        call.answer(out -> RehearsalJson.write(out, run.run(), run.basedOn()));
    }

    private static Reading<Optional<Ips>> tested(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Document document = fields.document(DOCUMENT);
        return fields.finish(() -> true)
                .then(read -> document == null
                        ? Reading.of(Optional.empty())
                        : amendment(document, null).then(it -> Reading.of(Optional.of(it.ips()))));
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
        Reply.onServerThread(call.ctx(), change, answer -> {
            Amended amended = Reply.given(answer);
            Reply.object(call.ctx(), amended.scheduled() == null ? OK : ACCEPTED, out -> IpsJson.write(out, amended));
        });
    }

    /** Ends the policy that waits. */
    void cancelScheduled(AppCall call) {
        Reply.onServerThread(call.ctx(), useCases.amendIps().cancelScheduled(call.user()), call::answerNothing);
    }

    void preview(AppCall call) {
        Preview sent = Body.read(call.ctx(), Preview::read);
        Amendment draft = sent.draft();
        Integer days = sent.days();
        if (days != null) {
            Replay replay =
                    Reply.given(useCases.replayIps().replay(call.user(), draft, days, sent.limit(), clock.instant()));
            call.answer(out -> RehearsalJson.write(out, replay));
            return;
        }
        List<PreviewedDecision> lines = Reply.given(useCases.previewIps().preview(call.user(), draft));
        call.answer(out -> DecisionJson.write(out, lines));
    }

    /**
     * A draft to try out on past decisions.
     *
     * @param days how many days are replayed; null for the latest decisions
     * @param limit how many decisions are replayed at most
     */
    private record Preview(Amendment draft, @Nullable Integer days, int limit) {
        private static final int DEFAULT_DAYS = 30;

        /** A document, or an object that has one. */
        static Reading<Preview> read(Document sent) {
            if (!sent.members().containsKey(DOCUMENT)) {
                return amendment(sent, null).then(draft -> Reading.of(new Preview(draft, null, 0)));
            }
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            Document document = fields.document(DOCUMENT);
            Integer days = fields.integer("days", 1, ReplayIps.MAX_DAYS);
            Integer limit = fields.integer("limit", 1, ReplayIps.MAX_DECISIONS);
            fields.require(DOCUMENT);
            return fields.finish(() -> true)
                    .then(read -> amendment(Fields.present(document), null))
                    .then(draft -> Reading.of(new Preview(
                            draft,
                            days == null ? DEFAULT_DAYS : days,
                            limit == null ? ReplayIps.MAX_DECISIONS : limit)));
        }
    }

    /** Compares two policies, which stores nothing. */
    void compare(AppCall call) {
        Comparands sent = Body.read(call.ctx(), Comparands::read);
        BasedComparison compared = Reply.given(useCases.compareIps().compare(call.user(), sent.from(), sent.to()));
        call.answer(out -> ComparisonJson.write(out, compared.comparison(), compared.basedOn()));
    }

    /** Two policies to compare; without the first one, that in force. */
    private record Comparands(@Nullable ComparedIps from, ComparedIps to) {
        static Reading<Comparands> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            ComparedIps from = fields.object("from", Comparands::one);
            ComparedIps to = fields.object("to", Comparands::one);
            fields.require("to");
            Document was = document(sent, "from");
            Document is = document(sent, "to");
            return fields.finish(() -> true)
                    .then(read -> one(from, was)
                            .then(before -> one(to, is)
                                    .then(after ->
                                            Reading.of(new Comparands(before.orElse(null), after.orElseThrow())))));
        }

        /** The number of a version, or that there is a document. */
        private static @Nullable ComparedIps one(Fields fields) {
            Integer version = fields.integer("ipsVersion", 1, Integer.MAX_VALUE);
            boolean hasDocument = fields.document("document") != null;
            if (hasDocument == (version != null) && fields.isRight()) {
                fields.problem("ipsVersion", "or document must be given, and not both");
            }
            return new ComparedIps(version, null);
        }

        private static @Nullable Document document(Document sent, String name) {
            return sent.get(name) instanceof Document one && one.get("document") instanceof Document document
                    ? document
                    : null;
        }

        private static Reading<Optional<ComparedIps>> one(@Nullable ComparedIps sent, @Nullable Document document) {
            return sent == null || document == null
                    ? Reading.of(Optional.ofNullable(sent))
                    : amendment(document, null).then(read -> Reading.of(Optional.of(new ComparedIps(null, read))));
        }
    }

    /** Tries a trade, which records nothing. */
    void tryTrade(AppCall call) {
        SentTrade trade = Body.read(call.ctx(), TradePayload::read);
        answer(call, useCases.tryTrade().underPolicy(call.user(), trade));
    }

    void tryTradeByKey(AppCall call) {
        AgentKeyId id = keyId(call);
        SentTrade trade = Body.read(call.ctx(), TradePayload::read);
        answer(call, Reply.given(useCases.tryTrade().byKey(call.user(), id, trade)));
    }

    private static void answer(AppCall call, Trial trial) {
        call.answer(out -> DecisionJson.write(out, trial));
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

    private static Reading<Amendment> amendment(Document sent, @Nullable Integer ifVersion) {
        return Put.read(sent, ifVersion).then(put -> Reading.of(put.amendment()));
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
    private static AgentKeyId keyId(AppCall call) {
        UUID id = Query.asUuid(call.ctx().pathParam("id"));
        if (id == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no working key with this id."));
        }
        return new AgentKeyId(id);
    }
}
