package dev.agentpolicy.alpaca;

/** A call that the stand-in refuses as Alpaca would. */
final class RefusedCall extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int code;

    private RefusedCall(int status, int code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    static RefusedCall unauthorized() {
        return new RefusedCall(401, 40_110_000, "request is not authorized");
    }

    static RefusedCall forbidden(String message) {
        return new RefusedCall(403, 40_310_000, message);
    }

    static RefusedCall notFound(String message) {
        return new RefusedCall(404, 40_410_000, message);
    }

    static RefusedCall unprocessable(String message) {
        return new RefusedCall(422, 42_210_000, message);
    }

    static RefusedCall duplicate() {
        return new RefusedCall(422, 40_010_001, "client_order_id must be unique");
    }

    int status() {
        return status;
    }

    int code() {
        return code;
    }
}
