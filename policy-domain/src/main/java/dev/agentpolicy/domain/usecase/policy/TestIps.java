package dev.agentpolicy.domain.usecase.policy;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTest;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.Rehearsals;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps the tests of a user's policy and runs them (docs/reference/policy-tests.md). Blocks on a few queries. */
public final class TestIps {
    private final Rehearsals rehearsals;
    private final AccountReader accounts;
    private final InstantSource clock;

    public TestIps(Rehearsals rehearsals, AccountReader accounts, InstantSource clock) {
        this.rehearsals = rehearsals;
        this.accounts = accounts;
        this.clock = clock;
    }

    /**
     * A run of the tests.
     *
     * @param basedOn the version in force; null when there is none
     */
    public record BasedRun(PolicyTests.Run run, @Nullable Integer basedOn) {}

    /** The tests of a user; none before the first ones. */
    public PolicyTests tests(UserId user) {
        return rehearsals.tests(user);
    }

    /** Replaces the tests of a user. */
    public void replace(UserId user, PolicyTests tests) {
        rehearsals.replaceTests(user, tests);
    }

    /**
     * Runs the tests of a user. Refused when the document is invalid for the user's portfolio, or no policy is in force.
     *
     * @param document the policy to test; null for that in force
     */
    public Answer<BasedRun> run(UserId user, @Nullable Ips document) {
        AccountView account = accounts.view(user);
        IpsVersion inForce = account.ips();
        Reading<Ips> tested;
        if (document != null) {
            tested = DraftReplay.canonical(document, account);
        } else if (inForce != null) {
            tested = Reading.of(inForce.ips());
        } else {
            return Answer.refused(Refusal.of(Refusal.Code.NO_IPS, "No policy has been set yet."));
        }
        PolicyTests tests = rehearsals.tests(user);
        return tested.fold(
                ips -> Answer.given(new BasedRun(
                        tests.run(ips, Instants.truncated(clock.instant())),
                        inForce == null ? null : inForce.version())),
                problems -> Answer.refused(Refusal.invalid(problems)));
    }

    /** The tests that a policy fails; none for a policy that is invalid, since it cannot come into force. */
    public List<PolicyTest.Result> failures(UserId user, Ips document) {
        PolicyTests tests = rehearsals.tests(user);
        if (tests.tests().isEmpty()) {
            return List.of();
        }
        return DraftReplay.canonical(document, accounts.view(user))
                .fold(ips -> tests.run(ips, Instants.truncated(clock.instant())).failures(), invalid -> List.of());
    }
}
