package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.rule.Violation;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Why a use case was refused (docs/reference/errors.md). A value, not an exception, because refusals are normal.
 *
 * @param code the kind of refusal
 * @param message an English sentence for the caller
 * @param scope the missing scope, for {@link Code#FORBIDDEN}; otherwise null
 * @param limit the exhausted limit, for a 429; otherwise null
 * @param retryAfterSeconds when a retry makes sense, for a 429, a 503 and {@link Code#NOT_LOGGED}; otherwise null
 * @param problems what is wrong with the input, for {@link Code#INVALID}
 * @param violations the violated rules, for {@link Code#POLICY_BLOCKED} and {@link Code#CHANGED}
 * @param request the request, for {@link Code#ALREADY_RESOLVED}, {@link Code#NOT_ACCEPTED}, {@link Code#POLICY_BLOCKED}
 *     and, where a request is accepted, {@link Code#CHANGED}; otherwise null
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
    private static final long RETRY_AFTER_STOP_SECONDS = 5;

    /** The kinds of refusal. */
    public enum Code {
        /** There is no key, or it does not work. */
        UNAUTHORIZED,
        /** The key lacks a scope. */
        FORBIDDEN,
        /** The input is invalid. */
        INVALID,
        /** It does not exist, or belongs to another user. */
        NOT_FOUND,
        /** The row is not in a published log yet. */
        NOT_LOGGED,
        /** The budget of the current second is used up. */
        RATE_LIMITED,
        /** The daily call cap of the key is used up. */
        DAILY_CALL_CAP,
        /** The account has reached its decisions of the day, or its user what may be written in a day. */
        QUOTA_EXCEEDED,
        /** The key has too many pending requests. */
        TOO_MANY_PENDING,
        /** A user who is signed in was asked for the password again, and it was wrong. */
        WRONG_PASSWORD,
        /** Too many wrong passwords. */
        SIGN_IN_THROTTLED,
        /** Too many sign-ups from one address. */
        SIGN_UP_THROTTLED,
        /** Sign-up is closed. */
        SIGN_UP_CLOSED,
        /** An account with this e-mail address exists already. */
        EMAIL_TAKEN,
        /** The signature of a passkey is wrong, or for something else. */
        INVALID_PASSKEY,
        /** The acceptance must be signed with a passkey. */
        PASSKEY_REQUIRED,
        /** The user must confirm with a password or a passkey. */
        CONFIRMATION_REQUIRED,
        /** The current policy does not allow the trade of the request. */
        POLICY_BLOCKED,
        /** What the caller was shown, or says is in force, is no longer so. */
        CHANGED,
        /** The user has no IPS, which the call needs. */
        NO_IPS,
        /** The user has no holdings of any value, or they are too old to be decided by. */
        NO_SNAPSHOT,
        /** The request is already resolved or accepted. */
        ALREADY_RESOLVED,
        /** The request was not accepted, so it has no order. */
        NOT_ACCEPTED,
        /** An order at the custodian is under way. */
        ORDER_UNDER_WAY,
        /** The key is a connection, which has no secret to rotate. */
        IS_A_CONNECTION,
        /** Another kind of custodian has this id. */
        CUSTODIAN_EXISTS,
        /** The broker refused the credentials or the account. */
        CUSTODIAN_REFUSED,
        /** The custodian did not execute the order. */
        NOT_EXECUTED,
        /** The user has reached the maximum number of such objects. */
        TOO_MANY,
        /** A store or another outside system cannot serve the call now. */
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
        return new Refusal(Code.INVALID, message(problems), null, null, null, problems, List.of(), null);
    }

    private static String message(List<Problem> problems) {
        int count = problems.size();
        if (count == 1) {
            return problems.get(0).message();
        }
        return count < Fields.MAX_PROBLEMS
                ? count + " fields are wrong; see violations."
                : "At least " + Fields.MAX_PROBLEMS + " fields are wrong; see violations.";
    }

    public static Refusal throttled(Code code, String message, @Nullable Long limit, long retryAfterSeconds) {
        return new Refusal(code, message, null, limit, retryAfterSeconds, List.of(), List.of(), null);
    }

    /** The refusal of what is used up until the next UTC day. */
    public static Refusal untilMidnight(Code code, String message, @Nullable Long limit, Instant now) {
        Instant midnight = now.atZone(ZoneOffset.UTC)
                .truncatedTo(ChronoUnit.DAYS)
                .plusDays(1)
                .toInstant();
        long seconds = Duration.between(now, midnight).plusNanos(999_999_999).toSeconds();
        return throttled(code, message, limit, seconds);
    }

    public static Refusal blocked(String message, List<Violation> violations, ServiceRequest request) {
        return new Refusal(Code.POLICY_BLOCKED, message, null, null, null, List.of(), violations, request);
    }

    /** The user accepted a request that is no longer as it was shown, or that is blocked now. */
    public static Refusal changed(String message, List<Violation> violations, ServiceRequest request) {
        return new Refusal(Code.CHANGED, message, null, null, null, List.of(), violations, request);
    }

    public static Refusal unavailable() {
        return throttled(Code.UNAVAILABLE, "The service cannot answer at the moment; try again.", null, 1);
    }

    private static Refusal stopped() {
        String message = "The service does not take this at the moment; try again later.";
        return throttled(Code.UNAVAILABLE, message, null, RETRY_AFTER_STOP_SECONDS);
    }

    /** The refusal for a thrown exception; empty when the exception is a bug. */
    public static Optional<Refusal> ofFailure(Throwable thrown) {
        return thrown instanceof Unavailable away
                ? Optional.of(away.isStopped() ? stopped() : unavailable())
                : Optional.empty();
    }

    public static Refusal notAccepted(String message, ServiceRequest request) {
        return new Refusal(Code.NOT_ACCEPTED, message, null, null, null, List.of(), List.of(), request);
    }

    public static Refusal resolved(String message, ServiceRequest request) {
        return new Refusal(Code.ALREADY_RESOLVED, message, null, null, null, List.of(), List.of(), request);
    }
}
