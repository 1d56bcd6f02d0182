package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.BrokerAccount;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.port.SyncSchedule.CustodianRef;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.Refusal.Code;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConnectCustodianTest {
    private static final BrokerCredentials KEY = new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret");
    private static final BrokerCredentials LIVE = new BrokerCredentials(BrokerEnvironment.LIVE, "other", "secret-2");
    private static final CustodianRef ALPACA = new CustodianRef(USER, "alpaca");
    private final UseCaseFixture fixture = new UseCaseFixture();

    @Test
    void a_connected_account_is_synced_at_once_and_from_then_on() {
        fixture.broker.cash(Usd.of(100_000));

        ListedCustodian listed = connect("alpaca", "Alpaca", KEY);

        assertThat(listed.kind()).isEqualTo(CustodianKind.ALPACA);
        assertThat(listed.lastSyncedAt()).isEqualTo(fixture.clock.instant());
        assertThat(listed.connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
        assertThat(listed.connection().environment()).isEqualTo(BrokerEnvironment.PAPER);
        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.credentials.all().get(ALPACA).credentials()).isEqualTo(KEY);
        assertThat(fixture.schedule.remove(ALPACA)).isTrue();
    }

    @Test
    void nothing_is_stored_when_the_broker_refuses_the_credentials() {
        fixture.broker.refusing("The broker does not know this key.");

        assertThat(refused(fixture.connect.connect(USER, "alpaca", request("Alpaca", KEY))))
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(Code.CUSTODIAN_REFUSED))
                .satisfies(refusal -> assertThat(refusal.message()).isEqualTo("The broker does not know this key."));

        nothingIsStored();
    }

    @Test
    void nothing_is_stored_when_the_broker_is_away() {
        fixture.broker.away("No answer.");

        assertThat(refused(fixture.connect.connect(USER, "alpaca", request("Alpaca", KEY)))
                        .code())
                .isEqualTo(Code.UNAVAILABLE);

        nothingIsStored();
    }

    private void nothingIsStored() {
        assertThat(fixture.credentials.all()).isEmpty();
        assertThat(fixture.connect.list(USER)).isEmpty();
        assertThat(fixture.schedule.remove(ALPACA)).isFalse();
    }

    @Test
    void new_credentials_to_the_same_account_keep_the_times_of_the_connection() {
        connect("alpaca", "Alpaca", KEY);
        Instant connectedAt = connection().connectedAt();
        fixture.clock.advance(Duration.ofHours(1));

        connect("alpaca", "Mine", LIVE);

        assertThat(connection().connectedAt()).isEqualTo(connectedAt);
        assertThat(connection().name()).isEqualTo("Mine");
        assertThat(connection().environment()).isEqualTo(BrokerEnvironment.LIVE);
        assertThat(connection().lastSyncedAt()).isEqualTo(fixture.clock.instant());
        assertThat(fixture.credentials.all().get(ALPACA).credentials()).isEqualTo(LIVE);
    }

    @Test
    void an_account_that_another_user_has_connected_is_refused_until_that_connection_is_removed() {
        UserId other = new UserId(new UUID(0, 2));
        connect("alpaca", "Alpaca", KEY);

        Refusal refusal = refused(fixture.connect.connect(other, "mine", request("Mine", LIVE)));

        assertThat(refusal.code()).isEqualTo(Code.CUSTODIAN_EXISTS);
        assertThat(refusal.message())
                .isEqualTo("Another user of this service has connected this account; it can be connected once.");
        assertThat(fixture.connect.list(other)).isEmpty();
        given(fixture.connect.remove(USER, "alpaca"));
        given(fixture.connect.connect(other, "mine", request("Mine", LIVE)));
        assertThat(refused(fixture.connect.connect(USER, "alpaca", request("Alpaca", KEY)))
                        .code())
                .isEqualTo(Code.CUSTODIAN_EXISTS);
    }

    @Test
    void a_connection_to_another_account_frees_the_first_one_for_other_users() {
        UserId other = new UserId(new UUID(0, 2));
        connect("alpaca", "Alpaca", KEY);
        fixture.broker.account("account-2");
        connect("alpaca", "Alpaca", LIVE);
        assertThat(refused(fixture.connect.connect(other, "mine", request("Mine", KEY)))
                        .code())
                .isEqualTo(Code.CUSTODIAN_EXISTS);

        fixture.broker.account("account-1");

        given(fixture.connect.connect(other, "mine", request("Mine", KEY)));
    }

    @Test
    void a_connection_from_before_claims_its_account_at_the_next_sync_and_goes_on_if_another_has_it() {
        UserId other = new UserId(new UUID(0, 2));
        BrokerAccount account = new BrokerAccount(CustodianKind.ALPACA, "account-1");
        connect("alpaca", "Alpaca", KEY);
        fixture.store.brokerAccounts().keepOnly(USER, List.of());

        assertThat(fixture.sync.sync(USER, "alpaca")).isEqualTo(SyncResult.SYNCED);

        assertThat(fixture.store.brokerAccounts().claim(other, account)).isFalse();
        fixture.store.brokerAccounts().keepOnly(USER, List.of());
        assertThat(fixture.store.brokerAccounts().claim(other, account)).isTrue();
        assertThat(fixture.sync.sync(USER, "alpaca")).isEqualTo(SyncResult.SYNCED);
        assertThat(connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
    }

    @Test
    void credentials_to_another_account_begin_a_new_connection() {
        connect("alpaca", "Alpaca", KEY);
        fixture.clock.advance(Duration.ofHours(1));
        fixture.broker.account("account-2");

        connect("alpaca", "Alpaca", LIVE);

        assertThat(connection().accountId()).isEqualTo("account-2");
        assertThat(connection().connectedAt()).isEqualTo(fixture.clock.instant());
    }

    @Test
    void neither_another_account_nor_a_removal_is_possible_while_an_order_is_under_way() {
        accepted();
        fixture.broker.account("account-2");

        assertThat(refused(fixture.connect.connect(USER, "alpaca", request("Alpaca", LIVE)))
                        .code())
                .isEqualTo(Code.ORDER_UNDER_WAY);
        assertThat(connection().accountId()).isEqualTo("account-1");
        assertThat(fixture.credentials.all().get(ALPACA).credentials()).isEqualTo(KEY);
        assertThat(refused(fixture.connect.remove(USER, "alpaca")).code()).isEqualTo(Code.ORDER_UNDER_WAY);
        fixture.broker.account("account-1");
        assertThat(connect("alpaca", "Alpaca", LIVE).connection().accountId()).isEqualTo("account-1");
    }

    @Test
    void one_account_is_not_connected_twice() {
        connect("alpaca", "Alpaca", KEY);

        Refusal refused = refused(fixture.connect.connect(USER, "again", request("Alpaca", LIVE)));

        assertThat(refused.code()).isEqualTo(Code.CUSTODIAN_EXISTS);
        assertThat(refused.message()).isEqualTo("This account is connected as alpaca already.");
        assertThat(fixture.connect.list(USER)).hasSize(1);
        assertThat(fixture.credentials.all()).containsOnlyKeys(ALPACA);
        fixture.broker.account("account-2");
        assertThat(connect("again", "Alpaca", LIVE).connection().accountId()).isEqualTo("account-2");
    }

    @Test
    void the_id_of_a_paper_custodian_cannot_be_connected_nor_the_other_way_round() {
        fixture.hold(30_000, 55_000, 15_000);
        connect("alpaca", "Alpaca", KEY);

        assertThat(refused(fixture.connect.connect(USER, "broker", request("Alpaca", KEY)))
                        .code())
                .isEqualTo(Code.CUSTODIAN_EXISTS);
        assertThat(refused(fixture.observe.observe(
                                USER,
                                UseCaseFixture.setup(
                                        "alpaca", "{\"name\":\"a\",\"kind\":\"paper\",\"cash\":1,\"positions\":[]}")))
                        .code())
                .isEqualTo(Code.CUSTODIAN_EXISTS);
    }

    @Test
    void a_user_has_at_most_twenty_custodians_of_both_kinds() {
        for (int i = 0; i < ObservePortfolio.MAX_CUSTODIANS; i++) {
            fixture.holdElsewhere("paper-" + i, 1);
        }

        assertThat(refused(fixture.connect.connect(USER, "alpaca", request("Alpaca", KEY)))
                        .code())
                .isEqualTo(Code.TOO_MANY);
        assertThat(fixture.credentials.all()).isEmpty();
    }

    @Test
    void a_removed_custodian_leaves_portfolio_schedule_and_credentials() {
        fixture.broker.cash(Usd.of(50_000));
        connect("alpaca", "Alpaca", KEY);
        fixture.hold(30_000, 55_000, 15_000);
        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(150_000));

        given(fixture.connect.remove(USER, "alpaca"));

        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.credentials.all()).isEmpty();
        assertThat(fixture.schedule.remove(ALPACA)).isFalse();
        assertThat(fixture.connect.list(USER)).extracting(ListedCustodian::id).containsExactly("broker");
        assertThat(refused(fixture.connect.remove(USER, "alpaca")).code()).isEqualTo(Code.NOT_FOUND);
        assertThat(refused(fixture.connect.sync(USER, "alpaca")).code()).isEqualTo(Code.NOT_FOUND);
    }

    @Test
    void a_removed_paper_custodian_loses_its_book() {
        fixture.hold(30_000, 55_000, 15_000);

        given(fixture.connect.remove(USER, "broker"));

        assertThat(fixture.custodian.book(USER, "broker").exists()).isFalse();
        assertThat(fixture.portfolio().custodians()).isEmpty();
    }

    @Test
    void a_custodian_whose_first_sync_failed_is_listed_with_its_error() {
        fixture.broker.cash(Usd.of(1)).position("BTC", AssetType.CRYPTO, "1", "1");
        fixture.hold(30_000, 55_000, 15_000);
        fixture.broker.position("SPY", AssetType.CRYPTO, "1", "1");

        ListedCustodian listed = connect("alpaca", "Alpaca", KEY);

        assertThat(listed.connection().status()).isEqualTo(ConnectionStatus.REFUSED);
        assertThat(listed.connection().error()).contains("SPY is held as tradfi");
        assertThat(fixture.connect.list(USER)).extracting(ListedCustodian::id).containsExactly("broker", "alpaca");
        assertThat(given(fixture.connect.sync(USER, "alpaca")).connection().status())
                .isEqualTo(ConnectionStatus.REFUSED);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                        | -
            {"kind":"paper"}          | kind
            {"environment":"demo"}    | environment
            {"secretKey":""}          | secretKey
            {"name":""}               | name
            {"extra":1}               | extra
            """)
    void every_wrong_field_is_named_and_no_secret_repeated(String changes, String field) {
        String whole = "{\"kind\":\"alpaca\",\"name\":\"Mine\",\"environment\":\"live\",\"keyId\":\"PK1\","
                + "\"secretKey\":\"geheim\"}";

        String found = ConnectRequest.read(JsonSamples.merged(JsonSamples.object(whole), JsonSamples.object(changes)))
                .fold(request -> "-", problems -> {
                    assertThat(problems.toString()).doesNotContain("geheim");
                    return String.join(
                            " ", problems.stream().map(Problem::field).toList());
                });

        assertThat(found).isEqualTo(field);
    }

    @Test
    void credentials_do_not_show_the_key() {
        assertThat(request("Alpaca", LIVE).toString())
                .doesNotContain("secret-2")
                .doesNotContain("other");
    }

    private void accepted() {
        fixture.broker.cash(Usd.of(15_000)).position("BTC", AssetType.CRYPTO, "1", "30000");
        fixture.broker.position("SPY", AssetType.TRADFI, "100", "550");
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        connect("alpaca", "Alpaca", KEY);
        given(fixture.attest.accept(USER, fixture.queued(fixture.agent("{}"), "buy 100 BTC crypto")));
    }

    private ListedCustodian connect(String id, String name, BrokerCredentials credentials) {
        return given(fixture.connect.connect(USER, id, request(name, credentials)));
    }

    private static ConnectRequest request(String name, BrokerCredentials credentials) {
        return new ConnectRequest(CustodianKind.ALPACA, name, credentials);
    }

    private CustodianConnection connection() {
        return fixture.store.view(USER).connections().find("alpaca").orElseThrow();
    }
}
