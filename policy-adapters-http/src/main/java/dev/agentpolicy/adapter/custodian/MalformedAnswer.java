package dev.agentpolicy.adapter.custodian;

/** An answer of the broker that is not what its interface promises. Contains nothing of the answer. */
final class MalformedAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    /** @param member what is missing or has the wrong form */
    MalformedAnswer(String member) {
        super("the answer has no usable " + member);
    }
}
