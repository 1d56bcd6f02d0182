package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReply.Away;
import dev.agentpolicy.domain.custodian.CustodianReply.Given;
import dev.agentpolicy.domain.custodian.CustodianReply.Refused;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Says in the words of the service what came of a call to the broker. */
final class BrokerReplies {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;

    private BrokerReplies() {}

    /** Blocks until there is a reply, and returns its value. */
    static <T> T await(CompletionStage<CustodianReply<T>> reply) {
        CustodianReply<T> replied;
        try {
            replied = reply.toCompletableFuture().join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
        }
        return replied.fold(
                value -> value,
                refused -> {
                    throw CustodianFailure.refused(refused.reason());
                },
                away -> {
                    throw CustodianFailure.away(away.reason());
                });
    }

    /** The reply to a call that only reads: the broker's refusal is a refusal. */
    static <T> CustodianReply<T> ofRead(BrokerResult<T> result) {
        return result.fold(
                Given::new,
                declined -> new Refused<>(refusal(declined.status(), declined.reason())),
                unreachable -> new Away<>(unreachable.reason()));
    }

    /**
     * The reply to a call about an order that may exist. The broker's refusal does not say whether it does, for instance
     * when the credentials have been withdrawn.
     */
    static <T> CustodianReply<T> inDoubt(BrokerResult<T> result) {
        return result.fold(
                Given::new,
                declined -> new Away<>(refusal(declined.status(), declined.reason())),
                unreachable -> new Away<>(unreachable.reason()));
    }

    /** A sentence about a call that the broker refused. */
    private static String refusal(int status, String words) {
        boolean isAboutCredentials = status == UNAUTHORIZED || status == FORBIDDEN;
        return sentence(isAboutCredentials ? "Alpaca refused the credentials" : "Alpaca refused the call", words);
    }

    /** A sentence that ends with the broker's words. */
    static String sentence(String what, String words) {
        String trimmed = words.strip();
        return what + ": " + trimmed + (trimmed.endsWith(".") ? "" : ".");
    }
}
