package dev.agentpolicy.domain.usecase.policy;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyChange;
import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.SoftPasskey;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.SignedUpOwner;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.custodian.ConnectRequest;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amended;
import dev.agentpolicy.domain.usecase.policy.AmendIps.Amendment;
import dev.agentpolicy.domain.usecase.signin.ConfirmingOwner;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Confirmation;
import dev.agentpolicy.domain.usecase.signin.ManagePasskeys.Demands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where changes are confirmed, nobody lets agents do more without the owner. */
class ConfirmedChangesTest extends SignedUpOwner {
    private static final String ASKING = "{\"standingRules\":[{\"id\":\"ask\",\"effect\":\"require_approval\"}]}";

    private AgentKeyId key = new AgentKeyId(USER.value());

    @BeforeEach
    void furnish() {
        given(fixture.amendIps.put(USER, SampleValues.ips(ASKING)));
        fixture.hold(30_000, 55_000, 15_000);
        key = fixture.mint("live", "\"read\"", "{\"dailyUsdCap\":100}").key().id();
        given(fixture.amendIps.pause(USER, true));
        confirmed(true);
    }

    private void confirmed(boolean isOn) {
        given(passkeys.demand(BROWSER, new Demands(false, null, isOn, null), isOn ? NONE : RIGHT));
    }

    private Map<String, Function<ConfirmingOwner, Answer<?>>> loosening() {
        Map<String, Function<ConfirmingOwner, Answer<?>>> all = new LinkedHashMap<>();
        all.put("resuming", owner -> joined(fixture.amendIps.pause(owner, false)));
        all.put("an approval", owner -> joined(fixture.amendIps.approve(owner, approval())));
        all.put(
                "a new key",
                owner -> joined(fixture.keys.mint(
                        owner,
                        KeyRequest.read(JsonSamples.object(
                                        "{\"name\":\"Robot\",\"keyType\":\"live\",\"scopes\":[\"read\"]}"))
                                .orElseThrow())));
        all.put("another secret", owner -> joined(fixture.keys.rotate(owner, key, Duration.ZERO)));
        all.put("a raised cap", owner -> joined(fixture.keys.change(owner, key, change("{\"policy\":{}}"))));
        all.put(
                "holdings",
                owner -> fixture.observe.observe(
                        owner,
                        UseCaseFixture.setup(
                                "broker", "{\"name\":\"Broker\",\"kind\":\"paper\",\"cash\":9,\"positions\":[]}")));
        all.put("an own trade", owner -> fixture.observe.trade(owner, "broker", ownTrade()));
        all.put("a broker", owner -> fixture.connect.connect(owner, "alpaca", broker()));
        all.put("a removed custodian", owner -> fixture.connect.remove(owner, "broker"));
        all.put("a looser policy", owner -> put(owner, SampleValues.ips("{}")));
        return all;
    }

    @Test
    void each_change_that_lets_agents_do_more_is_refused_without_a_confirmation_and_changes_nothing() {
        int rows = fixture.events().size();
        var before = fixture.store.view(USER);
        fixture.broker.cash(Usd.of(1_000));

        loosening().forEach((name, change) -> {
            assertThat(refused(change.apply(owner(NONE))).code()).as(name).isEqualTo(Code.CONFIRMATION_REQUIRED);
            assertThat(refused(change.apply(owner(new Confirmation("wrong", null, Sha256.hex(name)))))
                            .code())
                    .as(name)
                    .isIn(Code.CONFIRMATION_REQUIRED, Code.SIGN_IN_THROTTLED);
        });

        assertThat(fixture.events()).hasSize(rows);
        assertThat(fixture.store.view(USER)).isEqualTo(before);
    }

    @Test
    void each_is_made_with_the_password_or_a_passkey_which_then_counts_its_use() {
        fixture.broker.cash(Usd.of(1_000));
        given(register(phone, RIGHT));

        for (var change : loosening().entrySet()) {
            fixture.clock.advance(Duration.ofSeconds(1));
            given(change.getValue().apply(owner(signedBy(phone))));
            assertThat(passkeys.of(USER)
                            .find(phone.credentialId())
                            .orElseThrow()
                            .lastUsedAt())
                    .as(change.getKey())
                    .isEqualTo(fixture.clock.instant());
        }
    }

    @Test
    void what_is_tighter_the_same_or_refused_needs_none() {
        var holds = fixture.store.view(USER);
        Ips tighter = SampleValues.ips(ASKING.replace("}]}", "}],\"allowedActions\":[\"sell\"]}"));

        assertThat(given(joined(fixture.amendIps.put(owner(NONE), Amendment.of(SampleValues.ips(ASKING)))))
                        .isNew())
                .isFalse();
        given(put(owner(NONE), tighter));
        given(fixture.amendIps.pause(USER, true));
        given(fixture.keys.change(USER, key, change("{\"policy\":{\"dailyUsdCap\":99},\"paused\":true}")));
        given(fixture.keys.change(USER, key, change("{\"name\":\"Other\",\"allowedCidrs\":[\"192.0.2.0/24\"]}")));
        assertThat(refused(fixture.keys.change(USER, new AgentKeyId(new UUID(7, 7)), change("{\"paused\":false}")))
                        .code())
                .isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.connect.remove(USER, "none")).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(holds.portfolio()).isEqualTo(fixture.portfolio());
        given(fixture.keys.revoke(USER, key));
    }

    @Test
    void a_confirmation_that_is_sent_is_checked_where_none_is_needed() {
        confirmed(false);
        Ips tighter = SampleValues.ips(ASKING.replace("}]}", "}],\"allowedActions\":[\"sell\"]}"));

        assertThat(refused(put(owner(WRONG), tighter)).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        assertThat(refused(put(owner(signedBy(new SoftPasskey())), tighter)).code())
                .isEqualTo(Code.INVALID_PASSKEY);
        assertThat(refused(fixture.connect.remove(owner(WRONG), "broker")).code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(put(owner(RIGHT), tighter));
    }

    @Test
    void agents_that_are_paused_hide_no_looser_policy() {
        assertThat(refused(put(owner(NONE), SampleValues.ips("{}"))).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
    }

    @Test
    void the_first_policy_needs_none() {
        UseCaseFixture empty = new UseCaseFixture();
        new ManagePasskeys(empty.store, empty.store, empty.proofs, signIn)
                .demand(BROWSER, new Demands(false, null, true, null), NONE);

        given(empty.amendIps.put(USER, SampleValues.plainIps()));
        assertThat(refused(empty.amendIps.put(USER, SampleValues.ips("{\"maxSlippage\":1}")))
                        .code())
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
    }

    /** Somebody pauses, or puts another policy, while two are compared. */
    @Test
    void a_policy_is_compared_with_the_one_that_is_in_force_when_it_is_put() {
        List<Runnable> meanwhile = new ArrayList<>();
        Executor interrupted = work -> {
            if (!meanwhile.isEmpty()) {
                meanwhile.remove(0).run();
            }
            work.run();
        };
        AmendIps amend = new AmendIps(fixture.store, UseCaseFixture.OWNER_LIMITS, interrupted);
        confirmed(false);
        given(fixture.amendIps.put(USER, SampleValues.ips("{}")));
        confirmed(true);
        Ips tighter = SampleValues.ips("{\"maxSlippage\":0.005}");
        Ips tightest = SampleValues.ips("{\"maxSlippage\":0.001}");
        meanwhile.add(() -> given(fixture.amendIps.put(USER, tightest)));

        assertThat(refused(amend.put(USER, tighter)).code())
                .as("tighter than the one that it was compared with first")
                .isEqualTo(Code.CONFIRMATION_REQUIRED);
        for (int i = 0; i < 9; i++) {
            Ips other = SampleValues.ips("{\"maxSlippage\":0.0010" + (i + 1) + "}");
            meanwhile.add(() -> given(joined(fixture.amendIps.put(owner(RIGHT), Amendment.of(other)))));
        }
        assertThat(refused(amend.put(USER, tighter)).code()).isEqualTo(Code.CHANGED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"policy\":{\"dailyUsdCap\":10}}                                   | {\"policy\":{\"dailyUsdCap\":11}}",
                "{\"policy\":{\"dailyCallCap\":10}}                                  | {\"policy\":{\"dailyCallCap\":11}}",
                "{\"policy\":{\"aumCapUsd\":10}}                                     | {\"policy\":{\"aumCapUsd\":null}}",
                "{\"policy\":{\"allowedAssets\":[\"BTC\"]}}                          | {\"policy\":{\"allowedAssets\":[\"BTC\",\"ETH\"]}}",
                "{\"policy\":{\"allowedAssets\":[\"BTC\"]}}                          | {\"policy\":{}}",
                "{\"policy\":{\"allowedAssetTypes\":[\"crypto\"]}}                   | {\"policy\":{\"allowedAssetTypes\":[\"tradfi\"]}}",
                "{\"allowedCidrs\":[\"192.0.2.0/25\"]}                               | {\"allowedCidrs\":[\"192.0.2.0/24\"]}",
                "{\"allowedCidrs\":[\"192.0.2.0/24\"]}                               | {\"allowedCidrs\":[\"192.0.2.0/24\",\"2001:db8::1\"]}",
                "{\"allowedCidrs\":[\"192.0.2.0/24\"]}                               | {\"allowedCidrs\":[]}",
                "{\"paused\":true}                                                   | {\"paused\":false}",
            })
    void a_key_that_may_do_more_is_told_from_one_that_may_do_less(String less, String more) {
        given(joined(fixture.keys.change(owner(RIGHT), key, change(less))));

        assertThat(refused(fixture.keys.change(USER, key, change(more))).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        given(joined(fixture.keys.change(owner(RIGHT), key, change(more))));
        boolean isOther = more.contains("tradfi");
        var back = fixture.keys.change(USER, key, change(less));
        if (isOther) {
            assertThat(refused(back).code()).isEqualTo(Code.CONFIRMATION_REQUIRED);
        } else {
            given(back);
        }
    }

    private ConfirmingOwner owner(Confirmation sent) {
        return ConfirmingOwner.of(passkeys, BROWSER, sent);
    }

    private Answer<Amended> put(ConfirmingOwner owner, Ips ips) {
        return joined(fixture.amendIps.put(owner, Amendment.of(ips)));
    }

    private static <T> Answer<T> joined(CompletionStage<Answer<T>> stage) {
        return stage.toCompletableFuture().join();
    }

    private static KeyChange change(String sent) {
        return KeyChange.read(JsonSamples.object(sent)).orElseThrow();
    }

    private static Approval approval() {
        Document sent =
                JsonSamples.object("{\"ruleId\":\"ask\",\"until\":\"" + SampleValues.NOON.plusSeconds(60) + "\"}");
        return Approval.SCHEMA.read(sent, Decimals.NUMBERS).orElseThrow();
    }

    private static OwnTrade ownTrade() {
        return OwnTrade.read(
                        JsonSamples.object(
                                "{\"action\":\"buy\",\"symbol\":\"SPY\",\"assetType\":\"tradfi\",\"quantity\":\"1\",\"price\":5}"))
                .orElseThrow();
    }

    private static ConnectRequest broker() {
        return new ConnectRequest(
                CustodianKind.ALPACA, "Alpaca", new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"));
    }
}
