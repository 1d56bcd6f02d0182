package dev.agentpolicy.adapter.http.wire;

import static dev.agentpolicy.adapter.http.Client.VALIDATE;
import static dev.agentpolicy.adapter.http.Expect.TRADE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.adapter.http.Client;
import dev.agentpolicy.adapter.http.Client.Seen;
import dev.agentpolicy.adapter.http.Expect;
import dev.agentpolicy.adapter.http.RawCall;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyTest {
    private static final String TOO_LARGE =
            "{\"error\":\"payload_too_large\",\"message\":\"The body must have at most 65536 bytes.\"}";
    private static final String NO_JSON = "{\"error\":\"unsupported_media_type\",\"message\":"
            + "\"The body must be sent as Content-Type: application/json.\"}";

    private final TestService service = new TestService().withPolicyAndPortfolio();
    private final String key = service.key();
    private final Client agent = service.client().withKey(key);

    @AfterEach
    void stop() {
        service.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {65_537, 100_000, 900_000, 3_000_000})
    void a_body_over_the_limit_is_too_large(int length) {
        Seen seen = agent.post(VALIDATE, padded(length));

        Expect.error(seen, 413, TOO_LARGE);
        Expect.budget(seen, 49);
    }

    @ParameterizedTest
    @ValueSource(ints = {65_537, 100_000, 900_000, 3_000_000})
    void a_chunked_body_over_the_limit_is_too_large(int length) {
        Expect.error(chunked(padded(length)), 413, TOO_LARGE);
    }

    @Test
    void a_body_at_the_limit_is_read() {
        assertThat(agent.post(VALIDATE, padded(65_536)).status()).isEqualTo(200);
        assertThat(chunked(padded(65_536)).status()).isEqualTo(200);
    }

    @Test
    void a_body_too_large_is_not_parsed() {
        assertThat(agent.post(VALIDATE, "[".repeat(70_000)).status()).isEqualTo(413);
    }

    @RepeatedTest(5)
    void a_client_refused_with_a_large_body_can_read_the_answer() {
        String large = "[".repeat(500_000);

        assertThat(service.client().post(VALIDATE, large).status()).isEqualTo(401);
        assertThat(agent.post("/api/agent/v1/nothing", large).status()).isEqualTo(404);
        assertThat(agent.post("/api/agent/v1/whoami", large).status()).isEqualTo(405);
        assertThat(agent.send("POST", VALIDATE, BodyPublishers.ofString(large)).status())
                .isEqualTo(415);
        assertThat(service.client().post("/api/app/v1/keys", large).status()).isEqualTo(401);
        assertThat(service.client()
                        .with("Sec-Fetch-Site", "cross-site")
                        .post("/api/app/v1/users", large)
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_announced_body_that_never_arrives_delays_the_answer_only_briefly() {
        String answer = RawCall.send(
                service.server.port(),
                "POST " + VALIDATE + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 401").contains("\"error\":\"unauthorized\"");
    }

    @Test
    void a_body_without_a_length_is_an_empty_one() {
        String answer = RawCall.send(
                service.server.port(),
                "POST " + VALIDATE + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400").contains("The body is empty; it must be a JSON object.");
    }

    @Test
    void a_client_that_expects_100_continue_is_refused_first() {
        String answer = RawCall.send(
                service.server.port(),
                "POST " + VALIDATE + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                        + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 413").doesNotContain("100 Continue");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/plain",
                "application/jsonx",
                "application/x-www-form-urlencoded",
                "application/json; charset=latin1",
                "application/json; charset=utf-16",
                "application/json; charset=utf-8; charset=latin1",
                "application/json; a=\";\"; charset=latin1",
                "application/json; charset=\"utf-8",
                "application/json; foo",
                "application/json; foo=",
                "application/json; =bar",
                "application/json; foo=b r",
                "application/json foo=bar",
                "application/json, text/plain",
                "text/json",
                "*/*"
            })
    void anything_but_json_is_an_unsupported_media_type(String contentType) {
        Expect.error(typed(contentType), 415, NO_JSON);
    }

    @Test
    void an_invalid_charset_is_an_unsupported_media_type() {
        String answer = RawCall.send(
                service.server.port(),
                head("Content-Length: 2").replace("application/json", "application/json;charset=\u00ff") + "{}");

        assertThat(answer).startsWith("HTTP/1.1 415").contains("\"error\":\"unsupported_media_type\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON",
                "application/json; charset=utf-8",
                "application/json;charset=\"UTF-8\"",
                "application/json;charset=utf8",
                "application/json; CHARSET=\"Utf8\"",
                "application/json;",
                "application/json ; foo=bar ;; v=1",
                "application/json; a=\"; charset=latin1\"; b=\"\\\"\"; charset=utf-8"
            })
    void any_spelling_of_the_json_content_type_is_accepted(String contentType) {
        assertThat(typed(contentType).status()).isEqualTo(200);
    }

    @Test
    void the_identity_encoding_is_accepted() {
        Client said = agent.with("Content-Encoding", "Identity");

        assertThat(said.post(VALIDATE, TRADE).status()).isEqualTo(200);
        Expect.error(said.with("Content-Encoding", "gzip").post(VALIDATE, TRADE), 415, NO_JSON);
        Expect.error(agent.with("Content-Encoding", "identity, gzip").post(VALIDATE, TRADE), 415, NO_JSON);
    }

    @Test
    void a_content_type_of_thousands_of_parameters_is_read_to_its_end() {
        assertThat(typed("application/json" + ";a=b".repeat(1_500)).status()).isEqualTo(200);
        assertThat(typed("application/json;a=\"" + "\\b".repeat(3_000) + "\"").status())
                .isEqualTo(200);
    }

    @Test
    void a_missing_content_type_and_a_compressed_body_are_unsupported() {
        Expect.error(agent.send("POST", VALIDATE, BodyPublishers.ofString(TRADE)), 415, NO_JSON);
        Expect.error(agent.with("Content-Encoding", "gzip").post(VALIDATE, TRADE), 415, NO_JSON);
    }

    @Test
    void of_more_than_eight_wrong_fields_eight_are_listed_and_all_are_counted() {
        JsonNode seven = agent.post(VALIDATE, withUnknown(7)).json();
        JsonNode more = agent.post(VALIDATE, withUnknown(51)).json();

        assertThat(seven.get("message").textValue()).isEqualTo("7 fields are wrong; see violations.");
        assertThat(seven.get("violations")).hasSize(7);
        assertThat(more.get("message").textValue()).isEqualTo("At least 8 fields are wrong; see violations.");
        assertThat(more.get("violations")).hasSize(8);
        assertThat(more.get("violations").get(7).get("message").textValue())
                .endsWith(" is not a known field. In all, 51 fields are wrong.");
    }

    @Test
    void fifty_thousand_brackets_are_nested_too_deep() {
        Expect.invalidPayload(
                agent.post(VALIDATE, "{\"a\":" + "[".repeat(50_000)),
                "allowed",
                "The body is nested deeper than 32 levels.");
    }

    @Test
    void bytes_that_are_not_utf8_are_an_invalid_payload() {
        Expect.invalidPayload(
                send(BodyPublishers.ofByteArray("{\"é\":1}".getBytes(StandardCharsets.ISO_8859_1))),
                "allowed",
                "The body is not well-formed UTF-8.");
    }

    @Test
    void a_body_that_arrives_in_pieces_is_read() {
        String answer = RawCall.send(
                service.server.port(),
                head("Transfer-Encoding: chunked"),
                chunk("{\"action\":\"buy\",\"assetSymbol\":\"E"),
                chunk("TH\",\"assetType\":\"crypto\","),
                chunk("\"amountUsd\":1}"),
                "0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 200").contains("\"allowed\":true");
    }

    @Test
    void a_broken_chunk_is_answered_and_the_connection_closed() {
        String answer =
                RawCall.send(service.server.port(), head("Transfer-Encoding: chunked"), "zz\r\n{}\r\n0\r\n\r\n");

        assertThat(answer).startsWith("HTTP/1.1 400").contains("\"error\":\"bad_request\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /api/agent/v1/whoami HTTP/1.1\r\n\r\n",
                "GET /api/agent/v1/whoami\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET /api/app/v1/requests/%u0041 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "GET / HTTP/9.9\r\nHost: x\r\n\r\n",
                "nonsense\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n",
                "POST /api/agent/v1/policy/validate HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "POST /api/agent/v1/policy/validate HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"
            })
    void malformed_http_gets_the_error_envelope(String request) {
        String answer = RawCall.send(service.server.port(), request);

        assertThat(answer)
                .startsWith("HTTP/1.1 400")
                .contains("X-Request-Id: ")
                .contains("X-Content-Type-Options: nosniff")
                .contains("Content-Security-Policy: default-src 'none'")
                .contains("{\"error\":\"bad_request\",\"message\":\"")
                .doesNotContain("Server:")
                .doesNotContain("Jetty");
    }

    @Test
    void headers_too_large_are_refused_by_the_server() {
        Seen seen = agent.with("X-Large", "x".repeat(20_000)).get("/api/agent/v1/whoami");

        assertThat(seen.status()).isEqualTo(431);
        assertThat(seen.json().get("error").textValue()).isEqualTo("bad_request");
    }

    private static String withUnknown(int fields) {
        return TRADE.replace(
                "}",
                IntStream.range(0, fields).mapToObj(i -> ",\"x" + i + "\":0").collect(Collectors.joining("", "", "}")));
    }

    private Seen typed(String contentType) {
        return agent.with("Content-Type", contentType).send("POST", VALIDATE, BodyPublishers.ofString(TRADE));
    }

    private Seen chunked(String body) {
        return send(
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))));
    }

    private Seen send(BodyPublisher body) {
        return agent.with("Content-Type", "application/json").send("POST", VALIDATE, body);
    }

    private String head(String header) {
        return "POST " + VALIDATE + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer " + key
                + "\r\nContent-Type: application/json\r\n" + header + "\r\n\r\n";
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String padded(int length) {
        return TRADE + " ".repeat(length - TRADE.length());
    }
}
