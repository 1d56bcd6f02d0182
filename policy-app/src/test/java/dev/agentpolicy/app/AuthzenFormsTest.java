package dev.agentpolicy.app;

import static dev.agentpolicy.app.AccessCaller.ETH;
import static dev.agentpolicy.app.AccessCaller.SPY;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each form in which the AuthZEN specification shows requests and answers, with agents, assets and trades in it. */
class AuthzenFormsTest {
    private static ServiceNode node;
    private static AccessCaller caller;

    @BeforeAll
    static void start(@TempDir Path folder) {
        node = ServiceNode.start(folder, Database.H2.fresh(folder));
        TestHousehold household = TestHousehold.withPolicy(node.caller());
        caller = AccessCaller.of(household, household.mint("live"));
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    /** A form of a request and its decisions. Of one evaluation if it has none of several. */
    record Form(String name, String body, List<Boolean> decisions) {

        static Form of(String name, String body, Boolean... decisions) {
            return new Form(name, body, List.of(decisions));
        }

        /** A single evaluation with other entities. */
        static Form with(String name, String subject, String action, String resource, String context) {
            return of(
                    name,
                    "{'subject':{'type':'agent','id':'$ID'" + subject + "},'action':{'name':'buy'" + action
                            + "},'resource':{'type':'asset','id':'SPY','properties':{'assetType':'tradfi'" + resource
                            + "}},'context':{'amountUsd':100" + context + "}}",
                    true);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Form> forms() {
        String buy = "'action':{'name':'buy'}";
        String sell = "'action':{'name':'sell'}";
        String small = "'context':{'amountUsd':100,'time':'2024-05-31T15:22-07:00'}";
        String large = "'context':{'amountUsd':90000}";
        String spy = "{'resource':" + SPY + "}";
        String eth = "{'resource':" + ETH + "}";
        String three = "'evaluations':[" + spy + "," + "{'resource':" + ETH + "," + large + "}" + "," + spy + "]";
        String semantic =
                "{'subject':$ME," + buy + "," + small + ",'options':{'evaluations_semantic':'%s'}," + three + "}";
        return Stream.of(
                Form.with("a minimal subject", "", "", "", ""),
                Form.with("a subject with a department", ",'properties':{'department':'Sales'}", "", "", ""),
                Form.with(
                        "a subject with address and device",
                        ",'properties':{'ip_address':'172.217.22.14','device_id':'8:65:ee:17:7e:0b'}",
                        "",
                        "",
                        ""),
                Form.with(
                        "a resource with an object in its properties", "", "", ",'record':{'isin':'US78462F1030'}", ""),
                Form.with("an action with properties", "", ",'properties':{'period':'2W'}", "", ""),
                Form.with("a context with the time", "", "", "", ",'time':'1985-10-26T01:22-07:00'"),
                Form.with("a context with a schema", "", "", "", ",'schema':'https://schema.example.com/a.json'"),
                Form.of("a denied request", "$DENIED", false),
                Form.of("evaluations without defaults", "{'evaluations':[$BUY,$DENIED,$BUY]}", true, false, true),
                Form.of(
                        "evaluations of one subject and context",
                        "{'subject':$ME," + small + ",'evaluations':[{" + buy + ",'resource':" + SPY + "},{" + buy
                                + ",'resource':" + ETH + "},{" + sell + ",'resource':"
                                + AccessCaller.asset("BTC", "crypto") + "}]}",
                        true,
                        true,
                        false),
                Form.of(
                        "evaluations with a default action that one overrides",
                        "{'subject':$ME," + small + "," + buy + ",'evaluations':[" + spy + "," + eth + ",{" + sell
                                + ",'resource':" + AccessCaller.asset("BTC", "crypto") + "}]}",
                        true,
                        true,
                        false),
                Form.of(
                        "evaluations with another option, of which one lacks its action",
                        "{'evaluations':[{'resource':" + SPY + ",'subject':$ME}],"
                                + "'options':{'evaluations_semantic':'execute_all','another_option':'value'}}",
                        false),
                Form.of("execute all", semantic.formatted("execute_all"), true, false, true),
                Form.of("deny on first deny", semantic.formatted("deny_on_first_deny"), true, false),
                Form.of("permit on first permit", semantic.formatted("permit_on_first_permit"), true));
    }

    @ParameterizedTest
    @MethodSource("forms")
    void each_form_of_a_request_is_answered_in_the_form_of_the_standard(Form form) {
        String body = form.body().replace("$ID", caller.keyId());
        boolean isSeveral = body.contains("evaluations");

        Seen seen = isSeveral ? caller.several(body) : caller.one(body);

        assertThat(seen.status()).as(seen.text()).isEqualTo(200);
        List<JsonNode> answers = new ArrayList<>();
        if (isSeveral) {
            assertThat(seen.json().fieldNames()).toIterable().containsExactly("evaluations");
            seen.json().get("evaluations").forEach(answers::add);
        } else {
            answers.add(seen.json());
        }
        assertThat(answers)
                .as(seen.text())
                .extracting(answer -> answer.get("decision").booleanValue())
                .containsExactlyElementsOf(form.decisions());
        assertThat(answers).allSatisfy(answer -> {
            assertThat(answer.fieldNames()).toIterable().containsExactly("decision", "context");
            assertThat(answer.at("/context/reason").textValue()).isNotBlank();
        });
    }
}
