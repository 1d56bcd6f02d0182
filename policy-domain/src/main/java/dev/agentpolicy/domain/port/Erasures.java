package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.Erasure;
import java.util.List;

/** Erases payloads of rows and keeps the signed entries about it (docs/reference/events.md, Erasure). */
public interface Erasures {

    /**
     * Stores an entry and erases the payloads it covers, in one transaction; durable when this returns. Rows added in
     * the meantime come after the entry and keep their payloads. The entry is part of every page that has one of its
     * rows.
     *
     * @return the number of erased payloads. The entry is not stored when this is 0, which is also so when the row has
     *     not the hash that the entry names
     */
    int erase(Erasure entry);

    /** Whether the database lets this service erase payloads, a right that its role can do without. */
    boolean isPermitted();

    /** The chains of deleted accounts that have payloads left to erase, at most so many. */
    List<UserId> ofDeletedAccounts(int limit);

    /** The entries signed by a key, of all chains, in no particular order. */
    List<Erasure> signedBy(String keyId);

    /**
     * Replaces each stored entry that has the same user, scope and row, in one transaction; durable when this returns.
     * An entry without such a predecessor is not stored.
     */
    void replace(List<Erasure> entries);
}
