package dev.agentpolicy.domain.usecase;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RecordedNotices;
import dev.agentpolicy.domain.request.ProposalBody;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade;
import dev.agentpolicy.domain.usecase.agent.ProposeTrade.Proposed;
import dev.agentpolicy.domain.usecase.policy.IssueKeys;
import dev.agentpolicy.domain.usecase.request.AttestRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AnnouncedAccountsTest {
    private final UseCaseFixture fixture = UseCaseFixture.furnished();
    private final RecordedNotices notices = new RecordedNotices();
    private final Accounts accounts = AnnouncedAccounts.of(fixture.store, notices);
    private final IssueKeys keys = new IssueKeys(accounts, fixture.store, new CountingRandomSource());
    private final ProposeTrade propose =
            new ProposeTrade(accounts, KeyCheck.IN_ACCOUNT, UseCaseFixture.LIMITS, UseCaseFixture.WINDOW);
    private final Caller agent = fixture.agent("{}");

    @Test
    void a_request_that_waits_is_announced_once() {
        Proposed proposed = proposed("buy 3000 BTC crypto", "once");
        proposed("buy 3000 BTC crypto", "once");

        assertThat(notices.of(Notice.class)).hasSize(1);
        assertThat(notices.last(Notice.RequestWaits.class).proposal().id()).isEqualTo(proposed.requestId());
    }

    @Test
    void a_blocked_proposal_and_a_decision_about_a_request_are_not_announced() {
        assertThat(proposed("buy 90000 BTC crypto", null).requestId()).isNull();
        long id = fixture.queued(agent, "buy 1000 BTC crypto");
        AttestRequest attest =
                new AttestRequest(accounts, fixture.store.requestQueue(), fixture.orders, fixture.proofs);

        given(attest.reject(USER, id, null));

        assertThat(notices.of(Notice.class)).isEmpty();
    }

    @Test
    void minted_and_revoked_keys_are_announced_with_name_and_time_and_rotated_ones_are_not() {
        AgentKey minted = given(keys.mint(
                        USER,
                        KeyRequest.read(
                                        JsonSamples.object(
                                                "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":{}}"))
                                .orElseThrow()))
                .key();
        given(keys.rotate(USER, minted.id()));
        given(keys.revoke(USER, minted.id()));

        assertThat(notices.of(Notice.class))
                .containsExactly(
                        new Notice.KeyMinted("Robot", SampleValues.NOON),
                        new Notice.KeyRevoked("Robot", SampleValues.NOON));
    }

    @Test
    void a_change_that_is_not_committed_is_not_announced() {
        fixture.store.away(true);

        assertThat(keys.revoke(USER, agent.key().id()).toCompletableFuture()).isCompletedExceptionally();

        assertThat(notices.of(Notice.class)).isEmpty();
    }

    @Test
    void without_mails_the_accounts_stay_as_they_are() {
        assertThat(AnnouncedAccounts.of(fixture.store, Notices.NONE)).isSameAs(fixture.store);
    }

    private Proposed proposed(String trade, @Nullable String once) {
        return given(propose.propose(agent, new ProposalBody(SampleValues.sent(trade), "because"), once));
    }
}
