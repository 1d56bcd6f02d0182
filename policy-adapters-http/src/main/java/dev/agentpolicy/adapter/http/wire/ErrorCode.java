package dev.agentpolicy.adapter.http.wire;

/** The error codes (docs/reference/errors.md). */
public enum ErrorCode {
    INVALID_PAYLOAD(400, "invalid_payload"),
    INVALID_PASSKEY(400, "invalid_passkey"),
    INVALID_PARAMETER(400, "invalid_parameter"),
    /** The request is no valid HTTP; the server answers it before a route is known. */
    BAD_REQUEST(400, "bad_request"),
    UNAUTHORIZED(401, "unauthorized"),
    FORBIDDEN(403, "forbidden"),
    WRONG_PASSWORD(403, "wrong_password"),
    PASSKEY_REQUIRED(403, "passkey_required"),
    CONFIRMATION_REQUIRED(403, "confirmation_required"),
    SIGN_UP_CLOSED(403, "sign_up_closed"),
    NOT_FOUND(404, "not_found"),
    METHOD_NOT_ALLOWED(405, "method_not_allowed"),
    REQUEST_TIMEOUT(408, "request_timeout"),
    POLICY_BLOCKED(409, "policy_blocked"),
    CHANGED(409, "changed"),
    NO_IPS(409, "no_ips"),
    NO_PORTFOLIO_SNAPSHOT(409, "no_portfolio_snapshot"),
    ALREADY_RESOLVED(409, "already_resolved"),
    NOT_ACCEPTED(409, "not_accepted"),
    NOT_EXECUTED(409, "not_executed"),
    ORDER_UNDER_WAY(409, "order_under_way"),
    CUSTODIAN_EXISTS(409, "custodian_exists"),
    EMAIL_TAKEN(409, "email_taken"),
    TOO_MANY(409, "too_many"),
    PAYLOAD_TOO_LARGE(413, "payload_too_large"),
    UNSUPPORTED_MEDIA_TYPE(415, "unsupported_media_type"),
    /** The call names another host. */
    MISDIRECTED_REQUEST(421, "misdirected_request"),
    CUSTODIAN_REFUSED(422, "custodian_refused"),
    RATE_LIMIT_EXCEEDED(429, "rate_limit_exceeded"),
    DAILY_CALL_CAP_EXCEEDED(429, "daily_call_cap_exceeded"),
    QUOTA_EXCEEDED(429, "quota_exceeded"),
    TOO_MANY_PENDING(429, "too_many_pending"),
    SIGN_IN_THROTTLED(429, "sign_in_throttled"),
    SIGN_UP_THROTTLED(429, "sign_up_throttled"),
    INTERNAL_ERROR(500, "internal_error"),
    UNAVAILABLE(503, "unavailable");

    private final int status;
    private final String wireName;

    ErrorCode(int status, String wireName) {
        this.status = status;
        this.wireName = wireName;
    }

    public int status() {
        return status;
    }

    /** Whether the call itself was invalid, as opposed to unauthenticated or over a limit. */
    public boolean isCallersFault() {
        return status / 100 == 4 && this != UNAUTHORIZED && status != RATE_LIMIT_EXCEEDED.status;
    }

    String wireName() {
        return wireName;
    }
}
