package dev.agentpolicy.app.hostile;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.hostile.Injected.coded;
import static dev.agentpolicy.app.hostile.Injected.inOneLine;
import static dev.agentpolicy.app.hostile.Injected.json;
import static dev.agentpolicy.app.hostile.Injected.keptOrRefused;
import static dev.agentpolicy.app.hostile.Injected.refused;
import static dev.agentpolicy.app.hostile.Injected.statement;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.Database;
import dev.agentpolicy.app.OnEveryDatabase;
import dev.agentpolicy.app.TestHousehold;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Text that means something to a database, a log, a terminal, a template or a page is text here: kept as it is, or refused.
 */
@OnEveryDatabase
class InjectionTest {
    static final List<String> TEXTS = Injected.TEXTS;
    private static final String TRADE = TestHousehold.trade("buy", "SPY", "tradfi", "1");

    @Parameter
    Database database;

    private AttackedService target;
    private Injected injected;
    private ApiCaller user;
    private ApiCaller agent;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void move() {
        target = AttackedService.on(database);
        injected = new Injected(target.address);
        user = injected.user;
        agent = injected.agent;
    }

    /** None left a trace in the log, and every table is where it was. */
    @AfterParameterizedClassInvocation(injectArguments = false)
    void nobodyIsHarmed() throws Exception {
        try (AttackedService harmed = target) {
            harmed.requireUnharmed();
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_name_and_an_asset_of_a_key(String text) {
        String key = "{\"name\":%s,\"keyType\":\"live\",\"scopes\":[\"read\"],\"policy\":%s}";

        keptOrRefused(
                text,
                user.post(APP + "keys", key.formatted(json(text), "{}")),
                minted -> injected.keyOf(minted).get("name"));
        keptOrRefused(
                symbol(text),
                user.post(APP + "keys", key.formatted("\"k\"", "{\"allowedAssets\":[" + json(text) + "]}")),
                minted -> injected.keyOf(minted).at("/policy/allowedAssets/0"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_name_of_a_custodian_and_the_symbol_of_a_position_or_of_an_own_trade(String text) {
        String custodian = "{\"name\":%s,\"kind\":\"paper\",\"cash\":1000,\"positions\":[%s]}";
        String position = "{\"symbol\":" + json(text) + ",\"assetType\":\"tradfi\",\"quantity\":1,\"price\":1}";
        String trade = "{\"action\":\"buy\"," + position.substring(1);

        keptOrRefused(
                text,
                user.put(APP + "custodians/injected", custodian.formatted(json(text), "")),
                put -> injected.custodian("injected").get("name"));
        keptOrRefused(
                symbol(text),
                user.put(APP + "custodians/injected", custodian.formatted("\"x\"", position)),
                put -> injected.custodian("injected").at("/positions/0/symbol"));
        user.put(APP + "custodians/injected", custodian.formatted("\"x\"", "")).ok();
        keptOrRefused(
                symbol(text),
                user.post(APP + "custodians/injected/trades", trade),
                done -> injected.custodian("injected").at("/positions/0/symbol"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void an_id_a_reason_and_a_symbol_of_a_standing_rule(String text) {
        String rules = "\"standingRules\":[{\"id\":%s,\"effect\":\"block\",\"reason\":%s,\"when\":{\"symbols\":[%s]}}]";
        String none = "\"NONE\"";

        injected.putStatement(text, rules.formatted(json(text), none, none), ips -> ips.at("/standingRules/0/id"));
        injected.putStatement(text, rules.formatted(none, json(text), none), ips -> ips.at("/standingRules/0/reason"));
        injected.putStatement(
                symbol(text),
                rules.formatted(none, none, json(text)),
                ips -> ips.at("/standingRules/0/when/symbols/0"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_symbol_of_the_authority_over_assets(String text) {
        String authority = "\"assetAuthority\":{\"default\":\"full\",\"assets\":{" + json(text) + ":\"protect\"}}";

        Seen seen = user.put(APP + "ips", statement(authority));

        if (seen.status() == 200) {
            assertThat(user.get(APP + "ips")
                            .ok()
                            .json()
                            .at("/assetAuthority/assets")
                            .fieldNames())
                    .toIterable()
                    .containsExactly(symbol(text));
        } else {
            refused(seen, 400);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_word_or_a_number_in_quotes_where_only_some_will_do(String text) {
        for (String wrong : Injected.WORDS) {
            String[] parts = wrong.split(" ", 3);
            String body = parts[2].formatted(json(text));
            ApiCaller typed = user.with("Content-Type", "application/json");
            refused(typed.send(parts[0], APP + parts[1], body.startsWith("{") ? body : statement(body)), 400);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_rationale_and_the_reason_of_a_rejection(String text) {
        String trade = TRADE.replace("}", ",\"rationale\":" + json(text) + "}");
        keptOrRefused(
                text.replaceAll("\\r\\n?|\\n", "\u2028"),
                agent.post(API + "trades/propose", trade),
                proposed -> user.get(APP + "requests/" + proposed.get("serviceRequestId"))
                        .ok()
                        .json()
                        .get("rationale"));

        JsonNode id = agent.post(API + "trades/propose", TRADE).ok().json().get("serviceRequestId");
        keptOrRefused(
                text,
                user.post(APP + "requests/" + id + "/reject", "{\"reason\":" + json(text) + "}"),
                rejected -> user.get(APP + "requests/" + id).ok().json().get("reason"));
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_symbol_a_word_or_a_name_of_a_field(String text) {
        for (String field : List.of("assetSymbol", "action", "assetType")) {
            String trade =
                    TRADE.replaceFirst("(\"" + field + "\":)\"[^\"]*\"", "$1" + Matcher.quoteReplacement(json(text)));
            boolean isSymbol = field.equals("assetSymbol") && text.matches("[A-Za-z0-9.\\-/_]{1,32}");
            refused(agent.post(API + "policy/validate", trade), isSymbol ? 200 : 400);
            agent.post(API + "policy/validate-batch", "{\"trades\":[" + trade + "]}")
                    .ok();
        }
        refused(agent.post(API + "policy/validate", TRADE.replace("}", "," + json(text) + ":1}")), 400);
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void an_address_of_mail(String text) {
        String email = text + "@example.com";
        String login = "{\"email\":" + json(email) + ",\"password\":\"correct horse battery\"}";
        ApiCaller stranger = new ApiCaller(target.address);

        Seen seen = stranger.post(APP + "users", login);

        if (seen.status() == 201) {
            JsonNode me = stranger.post(APP + "session", login).ok().json();
            assertThat(me.get("email").textValue()).isEqualTo(email.toLowerCase(Locale.ROOT));
        } else {
            refused(seen, 400);
            // Whoever signed up with such an address before may go on signing in.
            assertThat(stranger.post(APP + "session", login).status()).isIn(400, 401);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void a_password(String text) {
        String login = "{\"email\":\"secretive" + TEXTS.indexOf(text) + "@example.com\",\"password\":%s}";
        String password = login.formatted(json(text + " as a password"));
        ApiCaller stranger = new ApiCaller(target.address);

        Seen seen = stranger.post(APP + "users", password);

        if (seen.status() == 201) {
            stranger.post(APP + "session", password).ok();
            refused(stranger.post(APP + "session", login.formatted(json(text + " as a passworD"))), 401);
        } else {
            refused(seen, 400);
        }
    }

    @ParameterizedTest
    @FieldSource("TEXTS")
    void every_parameter_of_every_endpoint(String text) throws Exception {
        for (Endpoint endpoint : Endpoint.all()) {
            for (String name : endpoint.parameters()) {
                String line = endpoint + "?" + name + "=" + coded(text);
                boolean isFreeText = endpoint.path().contains("/activity")
                        && Set.of("text", "symbol").contains(name);
                // Asking to be connected has a budget of its own, for an address.
                boolean hasBudget = endpoint.path().equals("/oauth/authorize");
                assertThat(injected.ask(line, "").status())
                        .as(line)
                        .isIn(400, isFreeText ? 200 : 400, hasBudget ? 429 : 400);
            }
        }
    }

    /** Pages are the same for every id. */
    @ParameterizedTest
    @FieldSource("TEXTS")
    void every_part_of_a_path(String text) throws Exception {
        for (Endpoint endpoint : Endpoint.all()) {
            if (endpoint.path().matches(".*[{<].*")) {
                String line =
                        endpoint.toString().replaceAll("\\{[a-z]+}|<name>", Matcher.quoteReplacement(coded(text)));
                String body =
                        endpoint.bodies().isEmpty() ? "" : endpoint.bodies().get(0);
                boolean isPage = !endpoint.isOfUsers() && !endpoint.isOfAgents();
                assertThat(injected.ask(line, body).status())
                        .as(line)
                        .isIn(isPage ? Set.of(200, 400, 404) : Set.of(400, 404));
            }
        }
    }

    /** Who asks and with which method is said by headers, too. */
    @ParameterizedTest
    @FieldSource("TEXTS")
    void every_header(String text) throws Exception {
        List<String> names = new ArrayList<>(RandomRequest.HEADERS);
        names.addAll(List.of("Host", "User-Agent", "Content-Type"));
        for (String name : names) {
            int refusal = Map.of("Authorization", 401, "Cookie", 401).getOrDefault(name, 400);
            for (String path : List.of(API + "whoami", API + "signing-keys", APP + "me", "/")) {
                assertThat(injected.ask("GET " + path, "", name + ": " + inOneLine(text))
                                .status())
                        .as("%s at %s", name, path)
                        .isIn(200, 400, refusal);
            }
        }
    }

    /** The same proposal under one Idempotency-Key, whatever it is: answered with the same request, or refused, twice. */
    @ParameterizedTest
    @FieldSource("TEXTS")
    void an_idempotency_key(String text) throws Exception {
        String header = "Idempotency-Key: " + inOneLine(text);

        RawAnswer first = injected.ask("POST " + API + "trades/propose", TRADE, header);
        RawAnswer second = injected.ask("POST " + API + "trades/propose", TRADE, header);

        assertThat(first.status()).isIn(200, 400);
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.json().path("serviceRequestId"))
                .isEqualTo(first.json().path("serviceRequestId"));
    }

    /** As a symbol is kept: in upper case, without the separators that are cut at both ends. */
    private static String symbol(String text) {
        return text.toUpperCase(Locale.ROOT).replaceAll("^[-./_]+(?=.)|(?<=.)[-./_]+$", "");
    }
}
