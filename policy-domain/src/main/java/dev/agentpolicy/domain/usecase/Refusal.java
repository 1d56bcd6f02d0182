package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.rule.Violation;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a caller does not get what was asked for (contract, section 2). A value, not an exception: being refused is an
 * ordinary answer.
 *
 * @param code what kind of refusal
 * @param message one plain English sentence
 * @param scope the scope that was missing, of {@link Code#FORBIDDEN}
 * @param limit the cap that was used up, of a 429
 * @param retryAfterSeconds when asking again makes sense, of a 429 or 503
 * @param problems what was wrong with the input, of {@link Code#INVALID}
 * @param violations what the policy says now, of {@link Code#POLICY_BLOCKED}
 * @param request as it stands, of {@link Code#ALREADY_RESOLVED}
 */
public record Refusal(
        Code code,
        String message,
        @Nullable Scope scope,
        @Nullable Long limit,
        @Nullable Long retryAfterSeconds,
        List<Problem> problems,
        List<Violation> violations,
        @Nullable ServiceRequest request) {

    /** The kinds of refusal. */
    public enum Code {
        /** No key, or one that does not work (any more). */
        UNAUTHORIZED,
        /** The key lacks a scope. */
        FORBIDDEN,
        /** The input makes no sense. */
        INVALID,
        /** There is no such thing, or it is somebody else's. */
        NOT_FOUND,
        /** The per-second budget is used up. */
        RATE_LIMITED,
        /** The daily call cap of the key is used up. */
        DAILY_CALL_CAP,
        /** Too many wrong passwords. */
        SIGN_IN_THROTTLED,
        /** Too many sign-ups from one address. */
        SIGN_UP_THROTTLED,
        /** Sign-up is closed. */
        SIGN_UP_CLOSED,
        /** The address has an account already. */
        EMAIL_TAKEN,
        /** The trade of a request breaks the policy of this moment. */
        POLICY_BLOCKED,
        /** The request is resolved already, or on its way to be. */
        ALREADY_RESOLVED,
        /** The custodian did not do what was asked of it. */
        NOT_EXECUTED,
        /** More than this service keeps for one user. */
        TOO_MANY,
        /** The outside world cannot take or give what was asked at the moment. */
        UNAVAILABLE
    }

    public static Refusal of(Code code, String message) {
        return new Refusal(code, message, null, null, null, List.of(), List.of(), null);
    }

    public static Refusal unauthorized() {
        return of(Code.UNAUTHORIZED, "A valid API key is required: Authorization: Bearer <API_KEY>.");
    }

    public static Refusal forbidden(Scope scope) {
        String message = "This key lacks the scope " + scope.wireName() + ".";
        return new Refusal(Code.FORBIDDEN, message, scope, null, null, List.of(), List.of(), null);
    }

    public static Refusal invalid(List<Problem> problems) {
        List<Problem> told = problems.stream().limit(Fields.MAX_PROBLEMS).toList();
        return new Refusal(Code.INVALID, message(problems), null, null, null, told, List.of(), null);
    }

    private static String message(List<Problem> problems) {
        int count = problems.size();
        if (count == 1) {
            return problems.get(0).message();
        }
        return count <= Fields.MAX_PROBLEMS
                ? count + " fields are wrong; see violations."
                : "More than " + Fields.MAX_PROBLEMS + " fields are wrong; see violations for the first "
                        + Fields.MAX_PROBLEMS + ".";
    }

    public static Refusal throttled(Code code, String message, @Nullable Long limit, long retryAfterSeconds) {
        return new Refusal(code, message, null, limit, retryAfterSeconds, List.of(), List.of(), null);
    }

    public static Refusal blocked(String message, List<Violation> violations, ServiceRequest request) {
        return new Refusal(Code.POLICY_BLOCKED, message, null, null, null, List.of(), violations, request);
    }

    public static Refusal unavailable() {
        return throttled(Code.UNAVAILABLE, "The service cannot answer at the moment; try again.", null, 1);
    }

    /** What a caller is told of something that was thrown; empty when it is a bug. */
    public static Optional<Refusal> ofFailure(Throwable thrown) {
        return thrown instanceof Unavailable ? Optional.of(unavailable()) : Optional.empty();
    }

    public static Refusal resolved(String message, ServiceRequest request) {
        return new Refusal(Code.ALREADY_RESOLVED, message, null, null, null, List.of(), List.of(), request);
    }
}
