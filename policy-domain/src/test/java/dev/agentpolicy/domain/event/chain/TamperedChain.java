package dev.agentpolicy.domain.event.chain;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeys;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A chain to tamper with, and the verdict on it. */
abstract class TamperedChain {
    static final UserId OTHER = new UserId(UUID.fromString("00000000-0000-4000-8000-000000000000"));
    static final SigningKey ONE = TestKey.ONE.active(SigningKey.Purpose.EVENT, TestChain.START);
    static final TestChain CHAIN = TestChain.ofDecisions(5);

    static Consumer<List<Map<String, @Nullable Object>>> edit(int seq, String member, Object value) {
        return rows -> rows.get(seq - 1).put(member, value);
    }

    static Document payload(int seq, String member, Object value) {
        Map<String, @Nullable Object> members =
                new HashMap<>(((Document) CHAIN.wire().get(seq - 1).get("payload")).members());
        members.put(member, value);
        return Document.of(members);
    }

    /** Edits the rows from an index on, with new hashes but without the key. */
    static List<PolicyEvent> rehashed(List<PolicyEvent> rows, int seq, UnaryOperator<String> edit) {
        List<PolicyEvent> forged = new ArrayList<>(rows);
        PolicyEvent row = rows.get(seq - 1);
        String payload = edit.apply(row.payload());
        String payloadHash = Sha256.hex(Messages.payload(payload));
        PolicyEvent unhashed = with(row, payload, payloadHash, "");
        forged.set(seq - 1, with(row, payload, payloadHash, Sha256.hex(Messages.header(unhashed))));
        return forged;
    }

    static PolicyEvent with(PolicyEvent row, String payload, String payloadHash, String hash) {
        return new PolicyEvent(
                row.userId(),
                row.seq(),
                row.eventId(),
                row.kind(),
                row.createdAt(),
                payload,
                payloadHash,
                row.prevHash(),
                row.signingKeyId(),
                hash,
                row.signature());
    }

    static String verified(Consumer<List<Map<String, @Nullable Object>>> tampering) {
        return shown(
                read(ChainPoint.fresh(TestChain.USER), documents(tampering), List.of(ONE), SigningKey.Purpose.EVENT));
    }

    static List<Document> documents(Consumer<List<Map<String, @Nullable Object>>> tampering) {
        List<Map<String, @Nullable Object>> wire = new ArrayList<>(CHAIN.wire());
        tampering.accept(wire);
        return wire.stream()
                .map(row -> {
                    Map<String, @Nullable Object> numbers = new HashMap<>(row);
                    numbers.replaceAll(
                            (name, value) -> value instanceof Integer number ? BigDecimal.valueOf(number) : value);
                    return Document.of(numbers);
                })
                .toList();
    }

    /** Verifies rows as a client does, up to the first that cannot be read. */
    static ChainVerdict read(ChainPoint from, List<Document> rows, List<SigningKey> keys, SigningKey.Purpose purpose) {
        List<PolicyEvent> events = new ArrayList<>();
        for (Document row : rows) {
            var reading = RowJson.read(row);
            if (!reading.isRead()) {
                return new ChainVerdict.Broken(-1, reading.problems().get(0).message());
            }
            events.add(reading.orElseThrow());
        }
        return EventChain.verify(from, events, keys, purpose, TestChain.CHECK);
    }

    static String verdict(List<PolicyEvent> rows) {
        return verdict(rows, Map.of());
    }

    static String verdict(List<PolicyEvent> rows, Map<Long, String> receipts) {
        ChainVerifier verifier =
                new ChainVerifier(SigningKeys.of(List.of(ONE), SigningKey.Purpose.EVENT), TestChain.CHECK, receipts);
        return shown(verifier.rows(ChainPoint.fresh(TestChain.USER), rows).then(verifier::end));
    }

    static String verdict(List<SigningKey> keys, SigningKey.Purpose purpose) {
        return shown(EventChain.verify(ChainPoint.fresh(TestChain.USER), CHAIN.rows(), keys, purpose, TestChain.CHECK));
    }

    static String shown(ChainVerdict verdict) {
        return verdict.fold(
                intact -> "intact up to " + intact.upTo().seq() + " "
                        + intact.upTo().hash(),
                broken -> (broken.seq() < 0 ? "unreadable: " : "broken at " + broken.seq() + ": ") + broken.reason());
    }
}
