package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.event.chain.Erasure;
import java.util.List;

/** Erases payloads of rows together with the signed entry that says so (docs/reference/events.md, Erasure). */
public interface Erasures {

    /**
     * Keeps an entry and erases the payloads that it covers, both or neither; durable when this returns. Rows that are
     * added meanwhile lie behind the entry and keep their payloads. The entry is delivered with every page that holds
     * one of its rows.
     *
     * @return how many payloads were erased; when there is none to erase, or another row than the entry names, the entry
     *     is not kept either
     */
    int erase(Erasure entry);

    /** The entries that a key signed, of all chains, in no order. */
    List<Erasure> signedBy(String keyId);

    /**
     * Puts each entry in the place of the one with the same user, scope and row, all or none; durable when this returns.
     * An entry that has no such predecessor is not kept.
     */
    void replace(List<Erasure> entries);
}
