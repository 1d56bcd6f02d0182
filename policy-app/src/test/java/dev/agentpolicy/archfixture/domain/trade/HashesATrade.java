package dev.agentpolicy.archfixture.domain.trade;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Breaks a rule on purpose: only document and event make hashes. */
final class HashesATrade {
    byte[] hash(byte[] trade) throws NoSuchAlgorithmException {
        return MessageDigest.getInstance("SHA-256").digest(trade);
    }
}
