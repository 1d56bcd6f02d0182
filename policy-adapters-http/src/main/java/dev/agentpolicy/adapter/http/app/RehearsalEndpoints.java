package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.ComparisonJson;
import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.RehearsalJson;
import dev.agentpolicy.adapter.http.wire.Body;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.policy.CompareIps.BasedComparison;
import dev.agentpolicy.domain.usecase.policy.CompareIps.ComparedIps;
import dev.agentpolicy.domain.usecase.policy.PreviewIps.PreviewedDecision;
import dev.agentpolicy.domain.usecase.policy.RehearseIps.Rehearsed;
import dev.agentpolicy.domain.usecase.policy.ReplayIps;
import dev.agentpolicy.domain.usecase.policy.ReplayIps.Replay;
import dev.agentpolicy.domain.usecase.policy.TestIps.BasedRun;
import dev.agentpolicy.domain.usecase.policy.TryTrade.Trial;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers calls that try a policy or a trade and put nothing in force: comparisons, replays, the shadow and tests. */
record RehearsalEndpoints(AppUseCases useCases, InstantSource clock) {
    private static final String DOCUMENT = "document";

    void shadow(AppCall call) {
        Rehearsed rehearsed = Reply.given(useCases.rehearseIps().read(call.user()));
        call.answer(out -> RehearsalJson.write(out, rehearsed));
    }

    void replaceShadow(AppCall call) {
        Amendment document = Body.read(call.ctx(), RehearsalEndpoints::shadowed);
        Rehearsed rehearsed = Reply.given(useCases.rehearseIps().put(call.user(), document));
        call.answer(out -> RehearsalJson.write(out, rehearsed));
    }

    private static Reading<Amendment> shadowed(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Document document = fields.document(DOCUMENT);
        fields.require(DOCUMENT);
        return fields.finish(() -> true).then(read -> PolicyEndpoints.amendment(Fields.present(document)));
    }

    void removeShadow(AppCall call) {
        call.answerNothing(useCases.rehearseIps().remove(call.user()));
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
        Optional<Ips> document = Body.readOptional(call.ctx(), RehearsalEndpoints::tested);
        BasedRun run = Reply.given(useCases.testIps().run(call.user(), document.orElse(null)));
        call.answer(out -> RehearsalJson.write(out, run.run(), run.basedOn()));
    }

    private static Reading<Optional<Ips>> tested(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        Document document = fields.document(DOCUMENT);
        return fields.finish(() -> true)
                .then(read -> document == null
                        ? Reading.of(Optional.empty())
                        : PolicyEndpoints.amendment(document).then(it -> Reading.of(Optional.of(it.ips()))));
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
                return PolicyEndpoints.amendment(sent).then(draft -> Reading.of(new Preview(draft, null, 0)));
            }
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            Document document = fields.document(DOCUMENT);
            Integer days = fields.integer("days", 1, ReplayIps.MAX_DAYS);
            Integer limit = fields.integer("limit", 1, ReplayIps.MAX_DECISIONS);
            fields.require(DOCUMENT);
            return fields.finish(() -> true)
                    .then(read -> PolicyEndpoints.amendment(Fields.present(document)))
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
            boolean hasDocument = fields.document(DOCUMENT) != null;
            if (hasDocument == (version != null) && fields.isRight()) {
                fields.problem("ipsVersion", "or document must be given, and not both");
            }
            return new ComparedIps(version, null);
        }

        private static @Nullable Document document(Document sent, String name) {
            return sent.get(name) instanceof Document one && one.get(DOCUMENT) instanceof Document document
                    ? document
                    : null;
        }

        private static Reading<Optional<ComparedIps>> one(@Nullable ComparedIps sent, @Nullable Document document) {
            return sent == null || document == null
                    ? Reading.of(Optional.ofNullable(sent))
                    : PolicyEndpoints.amendment(document)
                            .then(read -> Reading.of(Optional.of(new ComparedIps(null, read))));
        }
    }

    /** Tries a trade, which records nothing. */
    void tryTrade(AppCall call) {
        SentTrade trade = Body.read(call.ctx(), TradePayload::read);
        answer(call, useCases.tryTrade().underPolicy(call.user(), trade));
    }

    void tryTradeByKey(AppCall call) {
        AgentKeyId id = PolicyEndpoints.keyId(call);
        SentTrade trade = Body.read(call.ctx(), TradePayload::read);
        answer(call, Reply.given(useCases.tryTrade().byKey(call.user(), id, trade)));
    }

    private static void answer(AppCall call, Trial trial) {
        call.answer(out -> DecisionJson.write(out, trial));
    }
}
