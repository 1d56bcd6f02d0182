package dev.agentpolicy.domain.simulation;

import static dev.agentpolicy.domain.simulation.Invariant.CHAINS_ARE_RECOMPUTED;
import static dev.agentpolicy.domain.simulation.Invariant.RETURNED_DECISIONS_ARE_IN_THE_CHAIN;
import static dev.agentpolicy.domain.simulation.Invariant.ROWS_ARE_LINKED;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.chain.ChainHead;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.Recomputation.Difference;
import dev.agentpolicy.domain.port.InMemoryStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks that every new row follows the last one, and that rows with receipts stay in the chain. */
final class ChainInvariants {
    private final InMemoryStore store;
    private final Mutant mutant;
    private final FirstViolation firstViolation;
    private final Map<UserId, ChainHead> heads = new HashMap<>();
    private final Map<UserId, List<Receipt>> returned = new HashMap<>();
    private final Set<Long> accepted = new HashSet<>();
    private final Set<Long> turnedDown = new HashSet<>();

    ChainInvariants(InMemoryStore store, Mutant mutant, FirstViolation firstViolation) {
        this.store = store;
        this.mutant = mutant;
        this.firstViolation = firstViolation;
    }

    /** The new rows of a chain. */
    List<PolicyEvent> read(UserId user) {
        ChainHead head = heads.getOrDefault(user, ChainHead.genesis(user));
        List<PolicyEvent> rows = mutant.in(store.rows(user, head.seq()));
        for (PolicyEvent row : rows) {
            boolean follows = row.seq() == head.seq() + 1
                    && row.prevHash().equals(head.hash())
                    && !row.createdAt().isBefore(head.createdAt());
            firstViolation.require(follows, ROWS_ARE_LINKED, "does not follow", head, row);
            head = ChainHead.after(row);
            if (ObservedCommit.isDecision(row, "attestation")) {
                attested(row);
            }
        }
        heads.put(user, head);
        return rows;
    }

    /** The number of rows of all chains. */
    long rows() {
        return heads.values().stream().mapToLong(ChainHead::seq).sum();
    }

    void returned(UserId user, Receipt receipt) {
        List<PolicyEvent> row = store.rows(user, receipt.seq() - 1);
        boolean isThere = !row.isEmpty() && row.get(0).hash().equals(receipt.hash());
        firstViolation.require(isThere, RETURNED_DECISIONS_ARE_IN_THE_CHAIN, "no row", receipt);
        returned.computeIfAbsent(user, it -> new ArrayList<>()).add(receipt);
    }

    void returnedAccepted(long request) {
        firstViolation.require(
                accepted.contains(request), RETURNED_DECISIONS_ARE_IN_THE_CHAIN, "no yes to request", request);
    }

    void returnedRejected(long request) {
        firstViolation.require(
                turnedDown.contains(request), RETURNED_DECISIONS_ARE_IN_THE_CHAIN, "no no to request", request);
    }

    /** Checks that all rows with receipts are still there, and that the chains can be recomputed. */
    void end() {
        heads.keySet().forEach(this::recomputed);
        returned.forEach((user, receipts) -> {
            List<PolicyEvent> rows = store.rows(user, 0);
            for (Receipt receipt : receipts) {
                boolean isThere = rows.get((int) receipt.seq() - 1).hash().equals(receipt.hash());
                firstViolation.require(isThere, RETURNED_DECISIONS_ARE_IN_THE_CHAIN, "gone", receipt);
            }
        });
    }

    private void recomputed(UserId user) {
        Recomputation recomputation = Recomputation.begin();
        for (PolicyEvent row : store.rows(user, 0)) {
            Optional<Difference> difference = recomputation.row(row);
            firstViolation.require(difference.isEmpty(), CHAINS_ARE_RECOMPUTED, "differs", difference, row);
        }
    }

    private void attested(PolicyEvent row) {
        String name = "\"serviceRequestId\":";
        int from = row.payload().indexOf(name) + name.length();
        long request =
                Long.parseLong(row.payload().substring(from, row.payload().indexOf(',', from)));
        boolean isYes = row.payload().contains("\"accepted\":true");
        (isYes ? accepted : turnedDown).add(request);
    }
}
