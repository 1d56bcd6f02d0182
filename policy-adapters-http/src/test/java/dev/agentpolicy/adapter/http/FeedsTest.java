package dev.agentpolicy.adapter.http;

import static dev.agentpolicy.adapter.http.Client.BATCH;
import static dev.agentpolicy.adapter.http.Client.PROPOSE;
import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.wire.TestService;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.page.EventQuery;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Audit, events and usage, and how their parameters are read. */
class FeedsTest {
    private static final String AUDIT = "/api/agent/v1/audit";
    private static final String EVENTS = "/api/agent/v1/policy/events";

    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final Client agent = service.client().withKey(service.key());

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    audit?limit=0 | limit must be an integer from 1 to 100.
                    audit?limit=101 | limit must be an integer from 1 to 100.
                    audit?limit= | limit must be an integer from 1 to 100.
                    audit?limit | limit must be an integer from 1 to 100.
                    audit?limit=abc | limit must be an integer from 1 to 100.
                    audit?limit=1.0 | limit must be an integer from 1 to 100.
                    audit?%6cimit=0 | limit must be an integer from 1 to 100.
                    audit?limit=1&l%69mit=1 | limit must not be repeated.
                    audit?limit=%2B1 | limit must be an integer from 1 to 100.
                    audit?limit=-1 | limit must be an integer from 1 to 100.
                    audit?limit=99999999999999999999 | limit must be an integer from 1 to 100.
                    audit?limit=1&limit=1 | limit must not be repeated.
                    audit?limit=%FF | limit is not percent-encoded UTF-8.
                    audit?agentKeyId=me | agentKeyId must be a UUID.
                    audit?agentKeyId=1-1-1-1-1 | agentKeyId must be a UUID.
                    audit?allowed=yes | allowed must be true or false.
                    audit?since=yesterday | since must be a date-time such as 2026-11-21T09:40:00Z.
                    audit?since=2026-02-30T00:00:00Z | since must be a date-time such as 2026-11-21T09:40:00Z.
                    audit?since=2026-11-21T09:40:00 | since must be a date-time such as 2026-11-21T09:40:00Z.
                    policy/events?limit=501 | limit must be an integer from 1 to 500.
                    policy/events?order=up | order must be asc or desc.
                    policy/events?eventType=ips.deleted | eventType must be a known kind of event.
                    policy/events?cursor=AAAA | cursor must be the nextCursor of a page of the same query.
                    policy/events?cursor= | cursor must be the nextCursor of a page of the same query.
                    policy/events?since=2026-13-01T00:00:00Z | since must be a date-time such as 2026-11-21T09:40:00Z.
                    usage?days=0 | days must be an integer from 1 to 30.
                    usage?days=31 | days must be an integer from 1 to 30.
                    """)
    void an_invalid_parameter_is_named(String path, String message) {
        Expect.error(
                agent.get("/api/agent/v1/" + path),
                400,
                "{\"error\":\"invalid_parameter\",\"message\":\"" + message + "\"}");
    }

    @Test
    void an_unknown_parameter_is_ignored() {
        assertThat(agent.get(AUDIT + "?nonsense=%FE&limits=0&xlimit=0&%FElimit=0")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void a_time_may_have_any_fraction_and_offset() {
        agent.post(VALIDATE, TRADE);

        for (String since : List.of(
                "2026-11-23T15:04:05Z",
                "2026-11-23t15:04:05.1z",
                "2026-11-23T16:04:05.123455999999999999+01:00",
                "2026-11-23T10:04:05-05:00",
                "0001-01-01T00:00:00Z")) {
            assertThat(agent.get(AUDIT + "?since=" + URLEncoder.encode(since, StandardCharsets.UTF_8))
                            .json())
                    .as(since)
                    .hasSize(1);
        }
        assertThat(agent.get(AUDIT + "?since=2026-11-23T16:04:05+01:00").json()).hasSize(1);
        assertThat(agent.get(AUDIT + "?since=2026-11-23T15:04:05.123456Z").json())
                .isEmpty();
        assertThat(agent.get(AUDIT + "?since=2026-11-23T15:04:05.1234560001Z").json())
                .isEmpty();
        assertThat(agent.get(EVENTS + "?since=2026-11-23T15:04:05.123456Z")
                        .json()
                        .get("events"))
                .isNotEmpty();
        assertThat(agent.get(EVENTS + "?since=2026-11-23T15:04:05.123456001Z")
                        .json()
                        .get("events"))
                .isEmpty();
    }

    @Test
    void a_decision_of_the_feed_has_every_field() {
        Seen proposed = agent.post(PROPOSE, TRADE.replace("}", ",\"rationale\":\"Rebalance\"}"));

        JsonNode entry = agent.get(AUDIT).json().get(0);

        assertThat(ProposeTest.names(entry))
                .containsExactly(
                        "id",
                        "checkedAt",
                        "kind",
                        "actor",
                        "agentKeyId",
                        "payload",
                        "rationale",
                        "allowed",
                        "reason",
                        "violations",
                        "ipsVersion",
                        "snapshot",
                        "serviceRequest",
                        "eventSeq",
                        "eventHash");
        assertThat(entry.get("kind").textValue()).isEqualTo("propose");
        assertThat(entry.get("payload")).isEqualTo(Client.json(TRADE));
        assertThat(entry.get("serviceRequest"))
                .isEqualTo(
                        Client.json(
                                "{\"id\":1,\"type\":\"agent_proposed_trade\",\"status\":\"pending\",\"reason\":null,\"execution\":null}"));
        assertThat(entry.get("eventSeq").asText()).isEqualTo(proposed.header("X-Policy-Event-Seq"));
        assertThat(entry.get("eventHash").textValue()).isEqualTo(proposed.header("X-Policy-Event-Hash"));
    }

    @Test
    void an_amount_with_all_digits_of_a_double_is_shown_as_it_was_sent() {
        BigDecimal tenth = new BigDecimal(0.1);

        Seen seen = agent.post(VALIDATE, TRADE.replace("}", ",\"expectedSlippagePct\":" + tenth + "}"));

        assertThat(seen.json().get("allowed").booleanValue()).isTrue();
        assertThat(agent.get(AUDIT).json().at("/0/payload/expectedSlippagePct").decimalValue())
                .isEqualTo(tenth);
    }

    @Test
    void the_feed_is_newest_first_and_shows_a_batch_as_validations() {
        agent.post(VALIDATE, TRADE);
        service.clock.advance(Duration.ofMillis(1));
        agent.post(BATCH, "{\"trades\":[" + TRADE + ",{}]}");

        JsonNode feed = agent.get(AUDIT).json();

        assertThat(feed.findValuesAsText("eventSeq")).containsExactly("5", "4", "3");
        assertThat(feed.findValuesAsText("kind")).containsOnly("validate");
        assertThat(feed.at("/0/payload").isNull()).isTrue();
        assertThat(agent.get(AUDIT + "?limit=1").json()).hasSize(1);
        assertThat(agent.get(AUDIT + "?allowed=false").json().findValuesAsText("eventSeq"))
                .containsExactly("5");
        assertThat(agent.get(AUDIT + "?allowed=true&limit=1").json().findValuesAsText("eventSeq"))
                .containsExactly("4");
        assertThat(agent.get(AUDIT + "?agentKeyId=00000000-0000-4000-8000-00000000FFFF")
                        .json())
                .isEmpty();
    }

    @Test
    void the_chain_is_read_page_by_page_in_either_order() {
        for (int call = 0; call < 5; call++) {
            agent.post(VALIDATE, TRADE);
        }

        assertThat(pages(EVENTS + "?limit=3")).containsExactly(1, 2, 3, 4, 5, 6, 7);
        assertThat(pages(EVENTS + "?limit=3&order=desc")).containsExactly(7, 6, 5, 4, 3, 2, 1);
        assertThat(pages(EVENTS + "?limit=2&eventType=guardrail.decision")).containsExactly(3, 4, 5, 6, 7);
        assertThat(pages(EVENTS + "?limit=7")).hasSize(7);
    }

    @Test
    void an_erased_row_is_explained_by_its_page_and_left_out_of_the_audit_feed() {
        agent.post(VALIDATE, TRADE);
        agent.post(VALIDATE, TRADE);
        PolicyEvent row = eraseADecision();

        JsonNode page = agent.get(EVENTS).json();
        JsonNode entry = page.at("/erasures/0");
        assertThat(page.at("/events/" + (row.seq() - 1) + "/payload").isNull()).isTrue();
        assertThat(ProposeTest.names(entry))
                .containsExactly("userId", "seq", "hash", "erasedAt", "reason", "signingKeyId", "signature");
        assertThat(entry.get("reason").textValue()).isEqualTo("A \"name\" in the rationale");
        assertThat(agent.get(AUDIT).json().findValuesAsText("eventSeq")).containsExactly("4");
    }

    /** Erases the payload of the first decision. */
    private PolicyEvent eraseADecision() {
        UserId user = service.user;
        PolicyEvent row = service.store.eventLog().page(user, EventQuery.all()).rows().stream()
                .filter(it -> it.kind() == EventKind.GUARDRAIL_DECISION)
                .findFirst()
                .orElseThrow();
        service.store
                .erasures()
                .erase(Erasure.ofRow(
                        user,
                        row.seq(),
                        row.hash(),
                        row.createdAt(),
                        "A \"name\" in the rationale",
                        TestKey.ONE.keyId(),
                        TestKey.ONE::sign));
        return row;
    }

    @Test
    void a_page_ends_with_the_signed_head_of_the_chain() {
        agent.post(VALIDATE, TRADE);

        JsonNode page = agent.get(EVENTS + "?limit=1").json();

        assertThat(ProposeTest.names(page)).containsExactly("events", "nextCursor", "erasures", "head");
        assertThat(page.at("/head/seq").longValue()).isEqualTo(3);
        assertThat(page.at("/head/hash").textValue())
                .isEqualTo(service.store.eventLog().head(service.user).hash());
        assertThat(page.at("/head/signature").textValue()).hasSize(86);
        assertThat(page.at("/events/0/prevHash").textValue()).isEqualTo("0".repeat(64));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?order=desc&limit=2", "?eventType=guardrail.decision"})
    void a_client_that_polls_an_unchanged_chain_gets_304(String query) {
        agent.post(VALIDATE, TRADE);
        Seen page = agent.get(EVENTS + query);
        service.clock.advance(Duration.ofSeconds(59));

        Seen again = polling(page).get(EVENTS + query);

        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("ETag")).matches("W/\"[0-9a-f]{32}-[0-9]+\"");
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.text()).isEmpty();
        assertThat(again.header("ETag")).isEqualTo(page.header("ETag"));
        assertThat(again.header("Cache-Control")).isEqualTo("no-store");
        assertThat(agent.with("If-None-Match", "\"other\", " + page.header("ETag"))
                        .get(EVENTS + query)
                        .status())
                .isEqualTo(304);
        assertThat(agent.with("If-None-Match", "*").get(EVENTS + query).status())
                .isEqualTo(304);
        assertThat(agent.with("If-None-Match", "\"other\"").get(EVENTS + query).status())
                .isEqualTo(200);
    }

    /** It would have to be that of the page, which is not read. */
    @Test
    void an_answer_304_has_no_content_length() {
        String key = service.key();
        Seen page = service.client().withKey(key).get(EVENTS);

        String answer = RawCall.send(
                service.server.port(),
                "GET " + EVENTS + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer " + key
                        + "\r\nIf-None-Match: " + page.header("ETag") + "\r\n\r\n");

        assertThat(answer)
                .startsWith("HTTP/1.1 304")
                .doesNotContainIgnoringCase("Content-Length")
                .endsWith("\r\n\r\n");
    }

    @Test
    void a_client_that_polls_gets_the_page_when_a_row_was_added() {
        Seen page = agent.get(EVENTS);
        agent.post(VALIDATE, TRADE);

        Seen again = polling(page).get(EVENTS);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("events")).hasSize(page.json().get("events").size() + 1);
        assertThat(again.header("ETag")).isNotEqualTo(page.header("ETag"));
    }

    @Test
    void a_client_that_polls_gets_the_page_when_a_payload_was_erased() {
        agent.post(VALIDATE, TRADE);
        Seen page = agent.get(EVENTS);
        eraseADecision();

        Seen again = polling(page).get(EVENTS);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("erasures")).hasSize(1);
    }

    @Test
    void a_client_that_polls_gets_a_newly_signed_head_after_a_minute() {
        Seen page = agent.get(EVENTS);
        service.clock.advance(Duration.ofMinutes(1));

        Seen again = polling(page).get(EVENTS);

        assertThat(again.status()).isEqualTo(200);
        assertThat(again.json().get("events")).isEqualTo(page.json().get("events"));
        assertThat(again.json().at("/head/issuedAt")).isNotEqualTo(page.json().at("/head/issuedAt"));
        assertThat(polling(again).get(EVENTS).status()).isEqualTo(304);
    }

    @Test
    void an_etag_from_the_future_does_not_match() {
        service.clock.advance(Duration.ofMinutes(1));
        Seen page = agent.get(EVENTS);
        service.clock.set(TestService.NOW);

        assertThat(polling(page).get(EVENTS).status()).isEqualTo(200);
    }

    /** The agent, with the tag of a page that it has. */
    private Client polling(Seen page) {
        return agent.with("If-None-Match", page.header("ETag"));
    }

    @Test
    void the_cursor_of_another_query_is_refused() {
        String cursor = agent.get(EVENTS + "?limit=1").json().get("nextCursor").textValue();

        assertThat(agent.get(EVENTS + "?order=desc&cursor=" + cursor).status()).isEqualTo(400);
        assertThat(agent.get(EVENTS + "?limit=2&cursor=" + cursor).status()).isEqualTo(200);
    }

    @Test
    void a_call_shows_in_usage_as_soon_as_it_is_answered() {
        agent.post(VALIDATE, TRADE);
        agent.get("/api/agent/v1/nothing");

        JsonNode usage = agent.get("/api/agent/v1/usage?days=2").json();

        assertThat(ProposeTest.names(usage))
                .containsExactly("since", "totals", "series", "topPaths", "topKeys", "recent");
        assertThat(usage.get("since").textValue()).isEqualTo("2026-11-22T00:00:00.000000Z");
        assertThat(usage.get("totals"))
                .isEqualTo(Client.json("{\"total\":2,\"errors\":1,\"p50Latency\":0,\"p95Latency\":0}"));
        assertThat(usage.get("series"))
                .isEqualTo(Client.json("[{\"day\":\"2026-11-22\",\"total\":0,\"errors\":0},"
                        + "{\"day\":\"2026-11-23\",\"total\":2,\"errors\":1}]"));
        assertThat(usage.at("/recent/0/status").intValue()).isEqualTo(404);
        assertThat(usage.at("/recent/0/path").textValue()).isEqualTo("(unknown)");
        assertThat(ProposeTest.names(usage.at("/recent/1")))
                .containsExactly("agentKeyId", "path", "status", "latencyMs", "createdAt");
    }

    private List<Integer> pages(String path) {
        List<Integer> seqs = new ArrayList<>();
        JsonNode page = agent.get(path).json();
        while (true) {
            page.get("events").forEach(row -> seqs.add(row.get("seq").intValue()));
            if (page.get("nextCursor").isNull()) {
                return seqs;
            }
            page = agent.get(path + "&cursor=" + page.get("nextCursor").textValue())
                    .json();
        }
    }
}
