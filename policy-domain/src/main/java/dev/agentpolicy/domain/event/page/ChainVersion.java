package dev.agentpolicy.domain.event.page;

import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.chain.ChainHead;

/**
 * Identifies what the pages of a chain show. While it stays the same, a query finds the same rows, with the same payloads
 * and the same entries about erasures.
 *
 * @param head where the chain ends
 * @param erasures how many entries about erasures the chain has
 */
public record ChainVersion(ChainHead head, long erasures) {
    private static final int DIGEST_LETTERS = 32;

    /** A short text that differs between versions, also between those of two chains. */
    public String digest() {
        return Sha256.hex(head.userId() + "/" + head.seq() + "/" + head.hash() + "/" + erasures)
                .substring(0, DIGEST_LETTERS);
    }
}
