package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.json.DecisionJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.RehearsalJson;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.compare.PolicyTest;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.request.ReviewRequest.Reviewed;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An error response (docs/reference/errors.md): the envelope, with the members and headers of its code.
 *
 * @param code its code
 * @param message one sentence
 * @param headers further headers
 * @param more writes the members after those of the envelope
 * @param scope that the key of the caller lacks; null for another error
 */
public record ErrorResponse(
        ErrorCode code,
        String message,
        Map<String, String> headers,
        Consumer<JsonWriter> more,
        @Nullable String scope) {
    private static final String RETRY_AFTER = "Retry-After";

    public static ErrorResponse of(ErrorCode code, String message) {
        return new ErrorResponse(code, message, Map.of(), none -> {}, null);
    }

    static ErrorResponse invalid(List<Problem> problems) {
        return of(Refusal.invalid(problems));
    }

    static ErrorResponse parameter(String name, String what) {
        return of(ErrorCode.INVALID_PARAMETER, name + " " + what + ".");
    }

    public static ErrorResponse unavailable() {
        return of(Refusal.unavailable());
    }

    public static ErrorResponse internal() {
        return of(ErrorCode.INTERNAL_ERROR, "Something went wrong in the service; it was noted under this requestId.");
    }

    public static ErrorResponse misdirected() {
        return of(ErrorCode.MISDIRECTED_REQUEST, "The Host header does not name the host of this console.");
    }

    /** The response to a refusal of a use case. */
    public static ErrorResponse of(Refusal refusal) {
        ErrorResponse plain = of(ErrorCode.of(refusal.code()), refusal.message());
        ErrorResponse answer =
                plain.code.isTemporary() ? plain.with(RETRY_AFTER, Long.toString(seconds(refusal))) : plain;
        return switch (refusal.code()) {
            case FORBIDDEN -> answer.missing(refusal.scope());
            case INVALID ->
                answer.and(out -> DecisionJson.violations(out, TradePayload.violations(refusal.problems())));
            case RATE_LIMITED -> answer.and(limit(refusal)).and(out -> out.integer("resetSeconds", seconds(refusal)));
            case DAILY_CALL_CAP -> answer.and(limit(refusal));
            case POLICY_BLOCKED ->
                answer.and(out -> DecisionJson.violations(out, refusal.violations()))
                        .and(request(refusal));
            case ALREADY_RESOLVED, NOT_ACCEPTED -> answer.and(request(refusal));
            default -> answer;
        };
    }

    /** The response to an acceptance of what is no longer so: the request as it would be decided now. */
    public static ErrorResponse changed(Refusal refusal, Reviewed now) {
        return of(refusal)
                .and(out -> DecisionJson.violations(out, refusal.violations()))
                .and(out -> out.object("request", now, RequestJson::write));
    }

    /** The response to a policy that the tests of its owner do not let through. */
    public static ErrorResponse testsFailed(List<PolicyTest.Result> failures) {
        int count = failures.size();
        String message = "The policy fails " + (count == 1 ? "1 test" : count + " tests")
                + " of yours, beginning with: " + failures.get(0).test().name();
        return of(ErrorCode.TESTS_FAILED, message).and(out -> RehearsalJson.results(out, failures));
    }

    /** The same response, with a member that is false, for agents that read only the decision. */
    public ErrorResponse denying(String member) {
        return code == ErrorCode.INVALID_PAYLOAD ? and(out -> out.truth(member, false)) : this;
    }

    public ErrorResponse with(String header, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(header, value);
        return new ErrorResponse(code, message, all, more, scope);
    }

    public void send(Context ctx) {
        headers.forEach(ctx::header);
        Reply.object(ctx, code.status(), out -> write(out, ResponseHeaders.requestId(ctx.res())));
    }

    /** Writes the members of the body. */
    public void write(JsonWriter out, @Nullable String requestId) {
        out.text("error", code.wireName()).text("message", message).text("requestId", requestId);
        more.accept(out);
    }

    private ErrorResponse and(Consumer<JsonWriter> members) {
        return new ErrorResponse(code, message, headers, more.andThen(members), scope);
    }

    private ErrorResponse missing(@Nullable Scope lacking) {
        return new ErrorResponse(code, message, headers, more, lacking == null ? null : lacking.wireName());
    }

    private static long seconds(Refusal refusal) {
        Long seconds = refusal.retryAfterSeconds();
        return seconds == null ? 1 : Math.max(1, seconds);
    }

    private static Consumer<JsonWriter> limit(Refusal refusal) {
        return out -> out.present("limit", refusal.limit(), JsonWriter::integer);
    }

    private static Consumer<JsonWriter> request(Refusal refusal) {
        return out -> out.object("request", refusal.request(), RequestJson::write);
    }
}
