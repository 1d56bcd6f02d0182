package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.domain.usecase.Refusal;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The error codes (docs/reference/errors.md), each with its status and the refusal of use cases that it stands for. */
public enum ErrorCode {
    INVALID_PAYLOAD(400, Refusal.Code.INVALID),
    INVALID_PASSKEY(400, Refusal.Code.INVALID_PASSKEY),
    INVALID_PARAMETER(400),
    /** The request is no valid HTTP; the server answers it before a route is known. */
    BAD_REQUEST(400),
    UNAUTHORIZED(401, Refusal.Code.UNAUTHORIZED),
    FORBIDDEN(403, Refusal.Code.FORBIDDEN),
    /** The session is that of a viewer, who may only read. */
    VIEWER(403),
    WRONG_PASSWORD(403, Refusal.Code.WRONG_PASSWORD),
    PASSKEY_REQUIRED(403, Refusal.Code.PASSKEY_REQUIRED),
    CONFIRMATION_REQUIRED(403, Refusal.Code.CONFIRMATION_REQUIRED),
    SIGN_UP_CLOSED(403, Refusal.Code.SIGN_UP_CLOSED),
    NOT_FOUND(404, Refusal.Code.NOT_FOUND),
    NOT_LOGGED(404, Refusal.Code.NOT_LOGGED),
    METHOD_NOT_ALLOWED(405),
    REQUEST_TIMEOUT(408),
    POLICY_BLOCKED(409, Refusal.Code.POLICY_BLOCKED),
    CHANGED(409, Refusal.Code.CHANGED),
    TESTS_FAILED(409),
    NO_IPS(409, Refusal.Code.NO_IPS),
    NO_PORTFOLIO_SNAPSHOT(409, Refusal.Code.NO_SNAPSHOT),
    ALREADY_RESOLVED(409, Refusal.Code.ALREADY_RESOLVED),
    NOT_ACCEPTED(409, Refusal.Code.NOT_ACCEPTED),
    NOT_EXECUTED(409, Refusal.Code.NOT_EXECUTED),
    ORDER_UNDER_WAY(409, Refusal.Code.ORDER_UNDER_WAY),
    IS_A_CONNECTION(409, Refusal.Code.IS_A_CONNECTION),
    CUSTODIAN_EXISTS(409, Refusal.Code.CUSTODIAN_EXISTS),
    EMAIL_TAKEN(409, Refusal.Code.EMAIL_TAKEN),
    TOO_MANY(409, Refusal.Code.TOO_MANY),
    PAYLOAD_TOO_LARGE(413),
    UNSUPPORTED_MEDIA_TYPE(415),
    /** The call names another host. */
    MISDIRECTED_REQUEST(421),
    CUSTODIAN_REFUSED(422, Refusal.Code.CUSTODIAN_REFUSED),
    RATE_LIMIT_EXCEEDED(429, Refusal.Code.RATE_LIMITED),
    DAILY_CALL_CAP_EXCEEDED(429, Refusal.Code.DAILY_CALL_CAP),
    QUOTA_EXCEEDED(429, Refusal.Code.QUOTA_EXCEEDED),
    TOO_MANY_PENDING(429, Refusal.Code.TOO_MANY_PENDING),
    SIGN_IN_THROTTLED(429, Refusal.Code.SIGN_IN_THROTTLED),
    SIGN_UP_THROTTLED(429, Refusal.Code.SIGN_UP_THROTTLED),
    INTERNAL_ERROR(500),
    UNAVAILABLE(503, Refusal.Code.UNAVAILABLE);

    private static final Map<Refusal.Code, ErrorCode> OF_REFUSALS = new EnumMap<>(Refusal.Code.class);

    static {
        for (ErrorCode code : values()) {
            if (code.refusal != null) {
                OF_REFUSALS.put(code.refusal, code);
            }
        }
    }

    private final int status;
    private final Refusal.@Nullable Code refusal;

    ErrorCode(int status) {
        this(status, null);
    }

    ErrorCode(int status, Refusal.@Nullable Code refusal) {
        this.status = status;
        this.refusal = refusal;
    }

    static ErrorCode of(Refusal.Code refusal) {
        ErrorCode code = OF_REFUSALS.get(refusal);
        if (code == null) {
            throw new IllegalArgumentException("There is no error code for " + refusal + ".");
        }
        return code;
    }

    public int status() {
        return status;
    }

    /** Whether the call itself was invalid, as opposed to unauthenticated or over a limit. */
    public boolean isCallersFault() {
        return status / 100 == 4 && this != UNAUTHORIZED && status != RATE_LIMIT_EXCEEDED.status;
    }

    /** Whether the same call may succeed later, so that its answer says when to try again. */
    boolean isTemporary() {
        return status == RATE_LIMIT_EXCEEDED.status || this == UNAVAILABLE || this == NOT_LOGGED;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
