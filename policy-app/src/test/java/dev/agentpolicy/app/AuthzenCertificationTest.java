package dev.agentpolicy.app;

import static dev.agentpolicy.app.AccessCaller.ETH;
import static dev.agentpolicy.app.AccessCaller.EVALUATION;
import static dev.agentpolicy.app.AccessCaller.EVALUATIONS;
import static dev.agentpolicy.app.AccessCaller.SPY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The cases of the AuthZEN certification scenario, named by their numbers, in the vocabulary of this service. Permitted
 * is a trade within policy; denied is one beyond it, or of another subject (docs/reference/authzen.md, Certification).
 */
@OnEveryDatabase
class AuthzenCertificationTest extends DatabaseTests {
    private static final String STRANGER = "{'type':'agent','id':'0f8fad5b-d9cb-469f-a165-70867728950e'}";
    private static final String BUY = "{'name':'buy'}";
    private static final String SELL = "{'name':'sell'}";

    private AccessCaller caller;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void mint() {
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        caller = AccessCaller.of(household, household.mint("live"));
    }

    @Test
    void case_2_2_1_a_request_is_permitted() {
        requireDecision(caller.one("$BUY"), true);
    }

    @Test
    void case_2_2_2_a_request_is_denied() {
        requireDecision(caller.one("$DENIED"), false);
        requireDecision(caller.one(evaluation(STRANGER, BUY, SPY, "{'amountUsd':100}")), false);
    }

    @Test
    void case_2_2_3_further_members_of_the_context_change_nothing() {
        String more = "{'amountUsd':%s,'time':'2025-06-27T18:03-07:00','ip':'192.168.1.1'}";

        requireDecision(caller.one(evaluation("$ME", BUY, SPY, more.formatted("100"))), true);
        requireDecision(caller.one(evaluation("$ME", BUY, SPY, more.formatted("90000"))), false);
    }

    /** Without the amount it is no trade, which is denied and not refused. */
    @Test
    void case_2_2_3_a_request_without_context_is_answered() {
        Seen seen = caller.one("{'subject':$ME,'action':" + BUY + ",'resource':" + SPY + "}");

        requireDecision(seen, false);
        assertThat(seen.json().at("/context/violations/0/message").textValue())
                .isEqualTo("context.amountUsd is missing.");
    }

    @Test
    void case_2_2_4_properties_of_the_resource_deny() {
        String relabelled = AccessCaller.asset("SPY", "crypto");

        requireDecision(caller.one(evaluation("$ME", BUY, relabelled, "{'amountUsd':100}")), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'role':'admin'}", "{'department':'Sales','role':'manager'}"})
    void case_2_2_5_properties_of_the_subject_give_no_rights(String properties) {
        String me = "{'type':'agent','id':'" + caller.keyId() + "','properties':" + properties + "}";
        String stranger = STRANGER.replace("'}", "','properties':" + properties + "}");

        requireDecision(caller.one(evaluation(me, BUY, SPY, "{'amountUsd':100}")), true);
        requireDecision(caller.one(evaluation(me, BUY, SPY, "{'amountUsd':90000}")), false);
        requireDecision(caller.one(evaluation(stranger, BUY, SPY, "{'amountUsd':100}")), false);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void case_2_2_6_and_2_2_7_properties_of_the_action_change_nothing(boolean isSoft) {
        String action = "{'name':'buy','properties':{'soft':" + isSoft + "}}";

        requireDecision(caller.one(evaluation("$ME", action, SPY, "{'amountUsd':100}")), true);
        requireDecision(caller.one(evaluation("$ME", action, SPY, "{'amountUsd':90000}")), false);
    }

    @Test
    void case_2_2_8_further_properties_are_accepted() {
        String me = "{'type':'agent','id':'" + caller.keyId() + "','properties':{'department':'Sales'}}";
        String action = "{'name':'buy','properties':{'method':'GET'}}";
        String asset = SPY.replace("{'assetType'", "{'status':'active','owner':'bob','assetType'");

        requireDecision(caller.one(evaluation(me, action, asset, "{'amountUsd':100}")), true);
    }

    @Test
    void case_2_2_9_unknown_members_are_ignored_everywhere() {
        String unknown = "'foo':'bar','future':{'nested':[true,null,{'a':1}]}";
        String body = caller.json("$BUY").replace("\"", "'").replace("{", "{" + unknown + ",");

        requireDecision(caller.one(body), true);
    }

    @Test
    void case_2_3_the_decision_is_a_boolean_and_its_context_an_object() {
        for (String body : List.of("$BUY", "$DENIED")) {
            JsonNode answer = caller.one(body).json();

            assertThat(answer.get("decision").isBoolean()).isTrue();
            assertThat(answer.get("context").isObject()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"subject", "action", "resource"})
    void case_2_4_1_a_required_entity_is_missing(String name) {
        for (String path : List.of(EVALUATION, EVALUATIONS)) {
            Seen seen = caller.agent().post(path, without(name));

            requireRefusal(seen, name + " is missing.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"subject.type", "subject.id", "action.name", "resource.type", "resource.id"})
    void case_2_4_2_a_required_member_of_an_entity_is_missing(String name) {
        for (String path : List.of(EVALUATION, EVALUATIONS)) {
            Seen seen = caller.agent().post(path, without(name));

            requireRefusal(seen, name + " is missing.");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/xml",
                "application/x-www-form-urlencoded",
                "application/json; charset=utf-16",
                "application/jsonp"
            })
    void case_2_4_3_another_content_type_is_a_bad_request(String type) {
        for (String path : List.of(EVALUATION, EVALUATIONS)) {
            Seen seen = caller.agent().with("Content-Type", type).send("POST", path, caller.json("$BUY"));

            requireRefusal(seen, "The body must be sent as Content-Type: application/json.");
        }
    }

    @Test
    void case_2_4_3_no_content_type_is_a_bad_request() {
        requireRefusal(
                caller.agent().send("POST", EVALUATION, caller.json("$BUY")),
                "The body must be sent as Content-Type: application/json.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{'subject'}", "no JSON", "$BUY}", "{'subject':,}"})
    void case_2_4_4_malformed_json_is_a_bad_request(String body) {
        for (String path : List.of(EVALUATION, EVALUATIONS)) {
            assertThat(caller.agent().post(path, caller.json(body)).status()).isEqualTo(400);
        }
    }

    @Test
    void case_2_4_5_an_empty_body_is_a_bad_request() {
        for (String path : List.of(EVALUATION, EVALUATIONS)) {
            requireRefusal(caller.agent().post(path, ""), "The body is empty; it must be a JSON object.");
        }
    }

    @Test
    void case_2_4_6_a_member_of_a_wrong_type_is_a_bad_request() {
        Map<String, String> wrong = Map.of(
                "{'subject':'alice','action':{'name':'buy'},'resource':" + SPY + "}",
                "subject must be an object.",
                "{'subject':$ME,'action':{'name':123},'resource':" + SPY + "}",
                "action.name must be a string.",
                "{'subject':$ME,'action':{'name':'buy'},'resource':[]}",
                "resource must be an object.",
                "{'subject':{'type':'agent','id':7},'action':{'name':'buy'},'resource':" + SPY + "}",
                "subject.id must be a string.",
                evaluation("$ME", BUY, SPY, "'now'"),
                "context must be an object.",
                evaluation("$ME", BUY, "{'type':'asset','id':'SPY','properties':7}", "{}"),
                "resource.properties must be an object.");

        wrong.forEach((body, message) -> {
            requireRefusal(caller.one(body), message);
            requireRefusal(caller.several(body), message);
        });
        assertThat(caller.agent().post(EVALUATION, "[]").status()).isEqualTo(400);
    }

    @Test
    void case_2_5_1_the_id_of_a_request_comes_back() {
        String id = "bfe9eb29-ab87-4ca3-be83-a1d5d8305716";
        AccessCaller identified = caller.with("X-Request-ID", id);

        for (Seen seen : List.of(
                identified.one("$BUY"),
                identified.several("{'evaluations':[$BUY]}"),
                identified.one("{}"),
                identified.agent().get("/.well-known/authzen-configuration"))) {
            assertThat(seen.header("X-Request-ID")).isEqualTo(id);
        }
    }

    @Test
    void case_2_5_2_a_request_without_an_id_gets_one() {
        assertThat(caller.one("$BUY").header("X-Request-ID")).matches("[0-9a-f]{32}");
    }

    @Test
    void case_2_6_the_same_request_has_the_same_decision_each_time() {
        for (int time = 0; time < 5; time++) {
            requireDecision(caller.one("$BUY"), true);
            requireDecision(caller.one("$DENIED"), false);
        }
    }

    @Test
    void case_3_2_1_evaluations_have_a_decision_each() {
        requireDecisions(
                caller.several("{'subject':$ME,'action':" + BUY + ",'context':{'amountUsd':1},'evaluations':["
                        + "{'resource':" + SPY + "},{'resource':" + ETH + "}]}"),
                true,
                true);
    }

    @Test
    void case_3_2_2_decisions_are_in_the_order_of_the_request() {
        requireDecisions(
                caller.several("{'subject':$ME,'resource':" + AccessCaller.asset("BTC", "crypto")
                        + ",'context':{'amountUsd':100},'evaluations':[{'action':" + BUY + "},{'action':" + SELL
                        + "}]}"),
                true,
                false);
    }

    @Test
    void case_3_2_3_properties_of_the_resource_are_of_each_evaluation() {
        requireDecisions(
                caller.several("{'subject':$ME,'action':" + BUY + ",'context':{'amountUsd':100},'evaluations':["
                        + "{'resource':" + SPY + "},{'resource':" + AccessCaller.asset("SPY", "crypto") + "}]}"),
                true,
                false);
    }

    @Test
    void case_3_2_4_the_subject_is_of_each_evaluation() {
        requireDecisions(
                caller.several("{'action':" + BUY + ",'resource':" + SPY + ",'context':{'amountUsd':100},"
                        + "'evaluations':[{'subject':" + STRANGER + "},{'subject':$ME}]}"),
                false,
                true);
    }

    @Test
    void case_3_2_5_evaluations_need_no_defaults() {
        requireDecisions(caller.several("{'evaluations':[$BUY,$DENIED]}"), true, false);
    }

    @Test
    void case_3_2_6_the_context_is_inherited_unless_overridden() {
        requireDecisions(
                caller.several("{'subject':$ME,'action':" + BUY + ",'context':{'amountUsd':100,'time':'now'},"
                        + "'evaluations':[{'resource':" + SPY + "},{'resource':" + SPY
                        + ",'context':{'amountUsd':90000,'source':'override'}}]}"),
                true,
                false);
    }

    @Test
    void case_3_2_7_an_empty_evaluation_inherits_everything_and_an_entity_replaces_a_whole() {
        String defaults = "'subject':$ME,'action':" + BUY + ",'resource':" + SPY + ",'context':{'amountUsd':100}";

        requireDecisions(
                caller.several("{" + defaults + ",'evaluations':[{},{'resource':" + AccessCaller.asset("SPY", "crypto")
                        + "}," + "{'resource':{'type':'asset','id':'SPY'}},{'context':{'expectedSlippagePct':0.1}}]}"),
                true,
                false,
                false,
                false);
    }

    @Test
    void case_3_3_there_are_as_many_decisions_as_evaluations_and_no_decision_of_all() {
        Seen seen = caller.several("{'evaluations':[$BUY" + ",$DENIED,$BUY".repeat(12) + "]}");

        assertThat(decisions(seen)).hasSize(25);
        assertThat(seen.json().has("decision")).isFalse();
    }

    @Test
    void case_3_4_1_an_incomplete_evaluation_is_denied_with_an_error() {
        Seen seen = caller.several("{'subject':$ME,'action':" + BUY + ",'context':{'amountUsd':100},"
                + "'options':{'evaluations_semantic':'execute_all'},'evaluations':[{'resource':" + SPY + "},{}]}");

        requireDecisions(seen, true, false);
        JsonNode error = seen.json().at("/evaluations/1/context/error");
        assertThat(error.get("status").intValue()).isEqualTo(400);
        assertThat(error.get("message").textValue()).isEqualTo("resource is missing.");
    }

    @Test
    void case_3_4_2_without_evaluations_the_request_is_the_only_one() {
        requireDecision(caller.several("$BUY"), true);
        requireDecision(caller.several("$DENIED"), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null"})
    void case_3_4_3_with_an_empty_list_the_request_is_the_only_one(String none) {
        String body = caller.json("$BUY").replace('"', '\'');

        requireDecision(caller.several("{'evaluations':" + none + "," + body.substring(1)), true);
    }

    private static String evaluation(String subject, String action, String resource, String context) {
        return "{'subject':" + subject + ",'action':" + action + ",'resource':" + resource + ",'context':" + context
                + "}";
    }

    /** A valid request without one member. */
    private String without(String path) {
        try {
            ObjectNode body = (ObjectNode) new JsonMapper().readTree(caller.json("$BUY"));
            int dot = path.indexOf('.');
            if (dot < 0) {
                body.remove(path);
            } else {
                ((ObjectNode) body.get(path.substring(0, dot))).remove(path.substring(dot + 1));
            }
            return body.toString();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static void requireDecision(Seen seen, boolean expected) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        assertThat(seen.json().get("decision").booleanValue()).as(seen.text()).isEqualTo(expected);
    }

    private static void requireDecisions(Seen seen, Boolean... expected) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        assertThat(seen.header("Content-Type")).isEqualTo("application/json");
        assertThat(decisions(seen)).as(seen.text()).containsExactly(expected);
    }

    private static List<Boolean> decisions(Seen seen) {
        List<Boolean> decisions = new ArrayList<>();
        seen.json()
                .get("evaluations")
                .forEach(item -> decisions.add(item.get("decision").booleanValue()));
        return decisions;
    }

    private static void requireRefusal(Seen seen, String message) {
        assertThat(seen.status()).as(seen.text()).isEqualTo(400);
        assertThat(seen.json().get("error").textValue()).isEqualTo("invalid_payload");
        assertThat(seen.json().get("message").textValue()).isEqualTo(message);
        assertThat(seen.json().get("decision").booleanValue()).isFalse();
    }
}
