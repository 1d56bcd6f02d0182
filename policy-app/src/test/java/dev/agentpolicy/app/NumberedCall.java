package dev.agentpolicy.app;

import dev.agentpolicy.app.ApiCaller.Seen;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One call of an experiment.
 *
 * @param kind what was asked for
 * @param number tells this call from all others, also in the log, as what it asks for has an amount or a name of its own;
 *     that of the key when one is rotated or revoked
 * @param request which is to be accepted or rejected, else 0
 * @param answer the answer, if there was one
 * @param millis until it did
 */
record NumberedCall(Kind kind, int number, long request, Optional<Seen> answer, long millis) {
    /** Trades of a batch, which uses as many numbers. */
    static final int OF_A_BATCH = 3;

    private static final int CONFLICT = 409;

    /** What callers do. */
    enum Kind {
        VALIDATE("validate", 200),
        BATCH("validate-batch", 200),
        PROPOSE("propose", 200),
        ACCEPT("attestation", 200),
        REJECT("rejection", 200),
        MINT("key.minted", 201),
        ROTATE("key.rotated", 200),
        REVOKE("key.revoked", 200),
        AMEND("ips.amended", 200),
        HOLD("", 200),
        SIGN_UP("", 201);

        private final String inTheLog;
        private final int done;

        Kind(String inTheLog, int done) {
            this.inTheLog = inTheLog;
            this.done = done;
        }

        /** What the log calls it; empty when it says nothing of it. */
        String inTheLog() {
            return inTheLog;
        }
    }

    /** Calls, and takes the time. */
    static NumberedCall now(Kind kind, int number, long request, Supplier<Seen> sent) {
        long begun = System.nanoTime();
        Optional<Seen> answer;
        try {
            answer = Optional.of(sent.get());
        } catch (UncheckedIOException gone) {
            answer = Optional.empty();
        }
        return new NumberedCall(
                kind, number, request, answer, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
    }

    /** A row of the log, of which there is one at most. */
    static String name(String kind, String what) {
        return kind + " of " + what;
    }

    boolean is(int status) {
        return answer.filter(seen -> seen.status() == status).isPresent();
    }

    /** Whether the answer confirmed the call. */
    boolean isAcknowledged() {
        return is(kind.done);
    }

    /** Whether the user said both yes and no, and the other was first. */
    boolean isTooLate() {
        return is(CONFLICT) && (kind == Kind.ACCEPT || kind == Kind.REJECT) && NumberedBodies.isDisputed(number);
    }

    /** Its rows by their names. */
    Stream<String> rows() {
        return switch (kind) {
            case HOLD, SIGN_UP -> Stream.empty();
            case MINT, ROTATE, REVOKE, AMEND -> Stream.of(name(kind.inTheLog, NumberedBodies.name(number)));
            case BATCH ->
                IntStream.range(number, number + OF_A_BATCH)
                        .mapToObj(i -> name(kind.inTheLog, NumberedBodies.amount(i)));
            default -> Stream.of(name(kind.inTheLog, NumberedBodies.amount(number)));
        };
    }
}
