package dev.agentpolicy.domain.usecase.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome.Recording;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.Erasure;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.event.page.EventPage;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads.Erased;
import dev.agentpolicy.domain.usecase.upkeep.ErasePayloads.NotErased;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ErasePayloadsTest {
    private final SettableClock clock = new SettableClock(StoreSamples.START);
    private final JdkSigner signer = new JdkSigner();
    private final InMemoryStore store = new InMemoryStore(clock, signer);
    private final ErasePayloads erase = new ErasePayloads(store.eventLog(), store.erasures(), signer, clock);
    private final UserId user = StoreSamples.user();

    @BeforeEach
    void recordDecisionsAroundAKeyEvent() {
        record(new Recording().event(StoreSamples.decided(StoreSamples.key(user).id(), true, clock.instant())));
        record(new Recording().event(EventPayloads.key(EventKind.KEY_MINTED, StoreSamples.key(user))));
        record(new Recording().event(StoreSamples.decided(StoreSamples.key(user).id(), false, clock.instant())));
    }

    @Test
    void a_row_is_erased_with_an_entry_signed_by_the_active_key() {
        Erased erased = (Erased) erase.eraseRow(user, 3, "A mistake");

        Erasure entry = erased.entry();
        assertThat(erased.rows()).isEqualTo(1);
        assertThat(entry.hash()).isEqualTo(rows().get(2).hash());
        assertThat(entry.erasedAt()).isEqualTo(clock.instant());
        assertThat(entry.isSignedBy(signer.key(), SignatureCheck.ofJdk())).isTrue();
        assertThat(page().erasures()).containsExactly(entry);
        assertThat(rows()).extracting(row -> row.payload() == null).containsExactly(false, false, true);
    }

    @Test
    void missing_rows_key_rows_and_erased_rows_are_refused() {
        erase.eraseRow(user, 1, "first");

        assertRefused(erase.eraseRow(user, 1, "again"), "The payload of row 1 is erased already.");
        assertRefused(erase.eraseRow(user, 2, "a key"), "Row 2 is of kind key.minted, without which");
        assertRefused(erase.eraseRow(user, 4, "none"), "has rows 1 to 3, and no row 4.");
        assertRefused(erase.eraseRow(user, 0, "none"), "and no row 0.");
        assertRefused(erase.eraseRow(user, Long.MIN_VALUE, "none"), "and no row ");
        assertRefused(erase.eraseRow(user, Long.MAX_VALUE, "none"), "and no row ");
        assertRefused(erase.eraseRow(StoreSamples.user(), 1, "nobody"), "There is no chain of a user ");
        assertThat(page().erasures()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\nb", "a\u0085b", "a\u0000", "\uD800"})
    void a_blank_or_unprintable_reason_is_refused(String reason) {
        assertRefused(erase.eraseRow(user, 1, reason), "The reason must have 1 to 500 characters");
        assertRefused(erase.eraseAccount(user, reason), "The reason must have 1 to 500 characters");
        assertThat(rows()).extracting(PolicyEvent::payload).doesNotContainNull();
    }

    @Test
    void an_account_is_erased_up_to_the_current_end_of_its_chain() {
        Erased erased = (Erased) erase.eraseAccount(user, "Account deleted");

        assertThat(erased.rows()).isEqualTo(3);
        assertThat(erased.entry().seq()).isEqualTo(3);
        assertThat(erased.entry().hash()).isEqualTo(rows().get(2).hash());
        assertThat(page().erasures()).containsExactly(erased.entry());
        assertRefused(erase.eraseAccount(user, "again"), "are erased already.");
        assertRefused(erase.eraseAccount(StoreSamples.user(), "nobody"), "There is no chain of a user ");
    }

    private static void assertRefused(ErasePayloads.ErasureResult result, String reason) {
        assertThat(result).isInstanceOf(NotErased.class);
        assertThat(((NotErased) result).reason()).contains(reason);
    }

    @Test
    void entries_signed_by_a_stolen_key_are_signed_again_with_their_times_and_reasons() {
        Erasure before = ((Erased) erase.eraseRow(user, 1, "before the theft")).entry();
        Instant theft = clock.instant();
        clock.advance(Duration.ofSeconds(1));
        Erasure after = ((Erased) erase.eraseRow(user, 3, "after the theft")).entry();
        SigningKey stolen = signer.key().compromised(clock.instant(), theft);
        JdkSigner next = new JdkSigner();
        ErasePayloads rescue = new ErasePayloads(store.eventLog(), store.erasures(), next, clock);

        assertThat(rescue.signAnew(List.of(signer.key(), next.key()), SignatureCheck.ofJdk()))
                .isZero();
        assertThat(rescue.signAnew(List.of(stolen, next.key()), SignatureCheck.ofJdk()))
                .isEqualTo(1);
        assertThat(rescue.signAnew(List.of(stolen, next.key()), SignatureCheck.ofJdk()))
                .isZero();

        Erasure anew = page().erasures().get(1);
        assertThat(page().erasures()).startsWith(before).hasSize(2);
        assertThat(anew.message()).isEqualTo(after.message());
        assertThat(anew.isSignedBy(next.key(), SignatureCheck.ofJdk())).isTrue();
    }

    @Test
    void an_entry_with_a_wrong_signature_is_not_signed_again() {
        PolicyEvent row = rows().get(0);
        store.erasures()
                .erase(Erasure.ofRow(
                        user, 1, row.hash(), clock.instant(), "forged", signer.keyId(), new JdkSigner()::sign));
        SigningKey stolen = signer.key().compromised(clock.instant(), StoreSamples.START.minusSeconds(1));
        ErasePayloads rescue = new ErasePayloads(store.eventLog(), store.erasures(), new JdkSigner(), clock);

        assertThat(rescue.signAnew(List.of(stolen), SignatureCheck.ofJdk())).isZero();
        assertThat(page().erasures()).extracting(Erasure::signingKeyId).containsExactly(signer.keyId());
    }

    private void record(Recording recording) {
        store.change(user, StoreSamples.change(account -> recording.answer(receipts -> true)))
                .toCompletableFuture()
                .join();
    }

    private EventPage page() {
        return store.eventLog().page(user, EventQuery.all());
    }

    private List<PolicyEvent> rows() {
        return page().rows();
    }
}
