package dev.agentpolicy.app;

import static dev.agentpolicy.app.AccessCaller.EVALUATION;
import static dev.agentpolicy.app.AccessCaller.EVALUATIONS;
import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

/** AuthZEN calls pass the same gate as those of the agent API, have the same decisions and are in the same log. */
@OnEveryDatabase
class AuthzenCallsTest extends DatabaseTests {
    private static final String ALL = "\"read\",\"validate\",\"propose\"";
    private static final String BOTH = "{'evaluations':[$BUY,$DENIED]}";

    private TestHousehold household;
    private AccessCaller caller;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void move() {
        household = TestHousehold.withPolicy(node.caller());
    }

    @BeforeEach
    void mint() {
        caller = AccessCaller.of(household, household.mint("live"));
    }

    @Test
    void a_decision_is_that_of_validate_with_its_receipt() {
        for (String amount : List.of("100", "90000")) {
            JsonNode validated = caller.agent()
                    .post(API + "policy/validate", trade("buy", "SPY", "tradfi", amount))
                    .ok()
                    .json();

            Seen seen = caller.one(amount.equals("100") ? "$BUY" : "$DENIED");

            JsonNode context = seen.json().get("context");
            assertThat(seen.json().get("decision")).isEqualTo(validated.get("allowed"));
            assertThat(context.fieldNames())
                    .toIterable()
                    .containsExactly("reason", "violations", "ipsVersion", "eventSeq", "eventHash");
            for (String name : List.of("reason", "violations", "ipsVersion")) {
                assertThat(context.get(name)).as(name).isEqualTo(validated.get(name));
            }
            assertThat(seen.header("X-Policy-Event-Seq"))
                    .isEqualTo(context.get("eventSeq").asText());
            assertThat(seen.header("X-Policy-Event-Hash"))
                    .isEqualTo(context.get("eventHash").textValue());
        }
    }

    @Test
    void what_was_decided_is_in_the_audit_feed_and_the_chain_verifies() {
        Seen one = caller.one("$BUY");
        Seen several = caller.several("{'evaluations':[$DENIED,{},$BUY]}");
        Seen stranger = caller.one(caller.json("$BUY").replace(caller.keyId(), "another"));

        JsonNode audit = audit();
        List<JsonNode> answers = new ArrayList<>(List.of(one.json()));
        several.json().get("evaluations").forEach(answers::add);
        answers.add(stranger.json());
        for (int i = 0; i < answers.size(); i++) {
            JsonNode answer = answers.get(answers.size() - 1 - i);
            JsonNode row = audit.get(i);
            assertThat(row.get("allowed")).isEqualTo(answer.get("decision"));
            assertThat(row.get("kind").textValue()).isEqualTo("validate");
            assertThat(row.get("agentKeyId").textValue()).isEqualTo(caller.keyId());
            for (String name : List.of("reason", "violations", "ipsVersion", "eventSeq", "eventHash")) {
                assertThat(row.get(name)).as(name).isEqualTo(answer.at("/context/" + name));
            }
        }
        assertThat(audit).hasSize(5);
        CommandLineRun run = new CommandLineRun(Map.of("KEY", caller.agent().key()));
        assertThat(run.main("verify", "--url", node.running().address(), "--api-key-env", "KEY", "--recompute"))
                .as(run.out() + run.err())
                .isZero();
    }

    @Test
    void a_request_that_is_refused_is_not_in_the_log() {
        caller.one("{}");
        caller.one("no JSON");
        caller.several("{'evaluations':7}");

        assertThat(audit()).isEmpty();
    }

    @Test
    void the_first_denial_ends_the_evaluations_if_asked_for() {
        String body =
                "{'options':{'evaluations_semantic':'deny_on_first_deny','more':1},'evaluations':[$BUY,$DENIED,$BUY]}";

        assertThat(decisions(caller.several(body))).containsExactly(true, false);
        assertThat(audit()).hasSize(2);
        assertThat(decisions(caller.several(body.replace("$DENIED", "{}")))).containsExactly(true, false);
        assertThat(decisions(caller.several(body.replace("$DENIED", "$BUY")))).containsExactly(true, true, true);
    }

    @Test
    void the_first_permission_ends_the_evaluations_if_asked_for() {
        String body =
                "{'options':{'evaluations_semantic':'permit_on_first_permit'},'evaluations':[$DENIED,$BUY,$DENIED]}";

        assertThat(decisions(caller.several(body))).containsExactly(false, true);
        assertThat(audit()).hasSize(2);
        assertThat(decisions(caller.several(body.replace("$BUY", "$DENIED")))).containsExactly(false, false, false);
        assertThat(decisions(caller.several(body.replace("$DENIED,$BUY", "$BUY,$BUY"))))
                .containsExactly(true);
    }

    @Test
    void all_evaluations_are_executed_unless_options_say_otherwise() {
        for (String options : List.of(
                "", "'options':null,", "'options':{},", "'options':{'evaluations_semantic':'execute_all','x':1},")) {
            Seen seen = caller.several("{" + options + "'evaluations':[$DENIED,$BUY,$DENIED]}");

            assertThat(decisions(seen)).as(options).containsExactly(false, true, false);
        }
    }

    @Test
    void a_wrong_list_or_wrong_options_make_the_whole_request_invalid() {
        Map<String, String> wrong = Map.of(
                "'options':{'evaluations_semantic':'any'},'evaluations':[$BUY]",
                "options.evaluations_semantic must be execute_all, deny_on_first_deny or permit_on_first_permit.",
                "'options':{'evaluations_semantic':1},'evaluations':[$BUY]",
                "options.evaluations_semantic must be execute_all, deny_on_first_deny or permit_on_first_permit.",
                "'options':'execute_all','evaluations':[$BUY]",
                "options must be an object.",
                "'evaluations':{}",
                "evaluations must be an array.",
                "'evaluations':[$BUY" + ",$BUY".repeat(25) + "]",
                "evaluations must have at most 25 items.",
                "'subject':'alice','evaluations':[$BUY]",
                "subject must be an object.",
                "'evaluations':[$BUY],'evaluations':[]",
                "evaluations appears more than once.");

        wrong.forEach((members, message) -> {
            Seen seen = caller.several("{" + members + "}");
            assertThat(seen.status()).as(members).isEqualTo(400);
            assertThat(seen.json().at("/violations").findValuesAsText("message"))
                    .as(members)
                    .contains(message);
        });
        assertThat(audit()).isEmpty();
    }

    @Test
    void an_evaluation_of_a_wrong_form_has_its_error_and_harms_no_other() {
        Map<String, String> wrong = Map.of(
                "7", "evaluations[1] must be an object.",
                "null", "evaluations[1] must be an object.",
                "{'subject':'me'}", "3 fields are wrong; see violations.",
                "{'subject':$ME,'action':{'name':'buy'},'resource':{'type':'asset'}}", "resource.id is missing.",
                "{'subject':$ME,'subject':$ME}", "3 fields are wrong; see violations.");

        wrong.forEach((item, message) -> {
            Seen seen = caller.several("{'evaluations':[$BUY," + item + ",$BUY]}");
            JsonNode context = seen.json().at("/evaluations/1/context");
            assertThat(decisions(seen)).as(item).containsExactly(true, false, true);
            assertThat(context.at("/error/status").intValue()).isEqualTo(400);
            assertThat(context.at("/error/message").textValue()).isEqualTo(message);
            assertThat(context.get("violations").findValuesAsText("rule")).containsOnly("invalid_payload");
            assertThat(context.get("eventSeq").longValue()).isPositive();
        });
    }

    @Test
    void what_is_no_trade_of_the_caller_is_denied_with_every_reason() {
        Seen seen = caller.one("{'subject':{'type':'user','id':'alice'},'action':{'name':'read'},"
                + "'resource':{'type':'record','id':'record 1','properties':{'assetType':'bond'}},"
                + "'context':{'amountUsd':'100','expectedSlippagePct':101}}");

        assertThat(seen.status()).isEqualTo(200);
        assertThat(seen.json().get("decision").booleanValue()).isFalse();
        assertThat(seen.json().at("/context/violations").findValuesAsText("message"))
                .containsExactly(
                        "subject.type must be agent.",
                        "subject.id must be the id of the calling key.",
                        "resource.type must be asset.",
                        "action.name must be buy or sell.",
                        "resource.id must be 1 to 32 of A-Z a-z 0-9 . - / _.",
                        "resource.properties.assetType must be crypto or tradfi.",
                        "context.amountUsd must be a number.",
                        "context.expectedSlippagePct must be a number from 0 to 100.");
        assertThat(seen.json().at("/context/error").isMissingNode()).isTrue();
    }

    @Test
    void the_id_of_another_key_of_the_same_user_is_another_subject() {
        String other = household.mint("live").get("agentKeyId").textValue();

        Seen seen = caller.one(caller.json("$BUY").replace(caller.keyId(), other));

        assertThat(seen.json().at("/context/violations").findValuesAsText("message"))
                .containsExactly("subject.id must be the id of the calling key.");
    }

    @Test
    void permitted_evaluations_count_for_the_daily_usd_cap_of_later_ones() {
        AccessCaller capped = caller(ALL, "{\"dailyUsdCap\":150}");

        Seen several = capped.several("{'evaluations':[$BUY,$BUY,{},$BUY]}");
        assertThat(decisions(several)).containsExactly(true, false, false, false);
        assertThat(several.json().at("/evaluations/1/context/violations").findValuesAsText("rule"))
                .containsExactly("agent_aum_cap");
        assertThat(decisions(capped.several("{'evaluations':[$BUY,$DENIED]}"))).containsExactly(true, false);
        CommandLineRun run = new CommandLineRun(Map.of("KEY", capped.agent().key()));
        assertThat(run.main("verify", "--url", node.running().address(), "--api-key-env", "KEY", "--recompute"))
                .as(run.out() + run.err())
                .isZero();
        assertThat(capped.several("{'evaluations':[$DENIED]}").json().findValuesAsText("rule"))
                .contains("agent_aum_cap");
    }

    @Test
    void each_evaluation_counts_towards_the_daily_call_cap() {
        AccessCaller capped = caller(ALL, "{\"dailyCallCap\":3}");
        capped.one("$BUY");

        Seen over = capped.several("{'evaluations':[$BUY,{},$BUY,$BUY]}");

        assertThat(decisions(over)).containsExactly(true, false, false, false);
        for (int i = 2; i <= 3; i++) {
            JsonNode context = over.json().at("/evaluations/" + i + "/context");
            assertThat(context.at("/error/status").intValue()).isEqualTo(429);
            assertThat(context.get("eventSeq").isNull()).isTrue();
            assertThat(context.get("reason")).isEqualTo(context.at("/error/message"));
        }
        assertThat(over.header("X-Policy-Event-Seq"))
                .isEqualTo(over.json().at("/evaluations/1/context/eventSeq").asText());
        assertThat(Stream.of(capped.one("$BUY"), capped.several(BOTH), capped.one("{}"), capped.one("no JSON"))
                        .map(Seen::status))
                .containsOnly(429);
        assertThat(capped.one("$BUY").json().get("error").textValue()).isEqualTo("daily_call_cap_exceeded");
    }

    @Test
    void a_refused_request_counts_towards_the_daily_call_cap() {
        AccessCaller capped = caller(ALL, "{\"dailyCallCap\":3}");

        assertThat(Stream.of(
                                capped.one("{}"),
                                capped.agent()
                                        .with("Content-Type", "text/plain")
                                        .send("POST", EVALUATION, capped.json("$BUY")),
                                capped.agent().get("/access/v1/nothing"),
                                capped.one("$BUY"))
                        .map(Seen::status))
                .containsExactly(400, 400, 404, 429);
    }

    @Test
    void without_a_key_its_scope_or_a_key_that_works_nothing_is_decided() {
        AccessCaller reader = caller("\"read\",\"propose\"", "{}");
        AccessCaller stranger = new AccessCaller(node.caller(), caller.keyId());

        for (String body : List.of("$BUY", BOTH, "{}")) {
            Seen forbidden = body.equals(BOTH) ? reader.several(body) : reader.one(body);
            Seen unknown = body.equals(BOTH) ? stranger.several(body) : stranger.one(body);
            assertThat(forbidden.status()).isEqualTo(403);
            assertThat(forbidden.header("WWW-Authenticate"))
                    .startsWith("Bearer error=\"insufficient_scope\", resource_metadata=\"")
                    .endsWith("/.well-known/oauth-protected-resource\", scope=\"validate\"");
            assertThat(unknown.status()).isEqualTo(401);
            assertThat(unknown.header("WWW-Authenticate")).startsWith("Bearer resource_metadata=\"");
        }
    }

    @Test
    void a_revoked_key_is_refused_at_once() {
        assertThat(caller.one("$BUY").status()).isEqualTo(200);

        household.user().delete(APP + "keys/" + caller.keyId()).ok();

        assertThat(caller.one("$BUY").status()).isEqualTo(401);
        assertThat(caller.several(BOTH).status()).isEqualTo(401);
    }

    @Test
    void a_test_key_asks_in_the_sandbox_and_writes_no_row() throws Exception {
        AccessCaller tester = AccessCaller.of(household, household.mint("test"));
        Map<String, Long> before = TableReader.counts(url);

        List<Seen> answers = List.of(
                tester.one("$BUY"),
                tester.several(BOTH),
                tester.one("{}"),
                tester.agent().get("/access/v1/no"));

        assertThat(answers).extracting(Seen::status).containsExactly(200, 200, 400, 404);
        assertThat(answers)
                .allSatisfy(seen -> assertThat(seen.header("X-Service-Sandbox")).isEqualTo("true"));
        JsonNode context = answers.get(0).json().get("context");
        assertThat(answers.get(0).json().get("decision").booleanValue()).isTrue();
        assertThat(context.get("ipsVersion").intValue()).isEqualTo(1);
        assertThat(context.get("eventSeq").isNull()).isTrue();
        assertThat(context.get("eventHash").isNull()).isTrue();
        assertThat(decisions(answers.get(1))).containsExactly(true, false);
        assertThat(TableReader.counts(url)).isEqualTo(before);
    }

    @Test
    void every_answer_has_the_rate_limit_headers_and_a_wrong_method_is_405() {
        List<Seen> answers = List.of(
                caller.one("$BUY"),
                caller.several(BOTH),
                caller.one("{}"),
                caller.agent().get(EVALUATION),
                caller.agent().get("/access/v1/search/subject"),
                caller.agent().send("OPTIONS", EVALUATIONS, null),
                node.caller().get("/.well-known/authzen-configuration"));

        assertThat(answers).extracting(Seen::status).containsExactly(200, 200, 400, 405, 404, 204, 200);
        assertThat(answers)
                .allSatisfy(seen -> assertThat(seen.header("X-RateLimit-Limit")).isEqualTo("100000"));
        assertThat(answers.get(3).header("Allow")).isEqualTo("POST, OPTIONS");
    }

    @Test
    void usage_counts_calls_under_their_paths() {
        TestHousehold other = TestHousehold.withPolicy(node.caller());
        caller = AccessCaller.of(other, other.mint("live"));
        caller.one("$BUY");
        caller.one("{}");
        caller.several(BOTH);
        caller.agent().get("/access/v1/nothing");

        JsonNode usage = other.user().get(APP + "usage").ok().json();

        assertThat(usage.at("/totals/total").intValue()).isEqualTo(4);
        assertThat(usage.at("/totals/errors").intValue()).isEqualTo(2);
        assertThat(usage.get("recent").findValuesAsText("path"))
                .containsExactly("(unknown)", EVALUATIONS, EVALUATION, EVALUATION);
    }

    /** The decisions of the key of this test, newest first. */
    private JsonNode audit() {
        return caller.agent()
                .get(API + "audit?agentKeyId=" + caller.keyId())
                .ok()
                .json();
    }

    private AccessCaller caller(String scopes, String policy) {
        return AccessCaller.of(household, household.mint("live", scopes, policy));
    }

    private static List<Boolean> decisions(Seen seen) {
        List<Boolean> decisions = new ArrayList<>();
        seen.json()
                .get("evaluations")
                .forEach(item -> decisions.add(item.get("decision").booleanValue()));
        return decisions;
    }
}
