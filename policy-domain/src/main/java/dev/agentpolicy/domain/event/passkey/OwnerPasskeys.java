package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.Viewer;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The passkeys of a user, above which amount the user wants acceptances signed with one, what the user asks of changes, and
 * who else may look.
 *
 * @param all in the order in which they were registered
 * @param above acceptances of larger amounts within 24 hours need a passkey, with 0 every acceptance does; null when none does
 * @param removedAt when a passkey was last removed; null when none was since that is recorded
 * @param protection what changes need that let agents do more
 * @param viewers who else may look at the account, in the order in which they were made
 */
public record OwnerPasskeys(
        List<Passkey> all,
        @Nullable Usd above,
        @Nullable Instant removedAt,
        ChangeProtection protection,
        List<Viewer> viewers) {
    public static final OwnerPasskeys NONE = new OwnerPasskeys(List.of(), null, null, ChangeProtection.NONE, List.of());

    /** Maximum number of passkeys of a user. */
    public static final int MAX = 20;

    /** For how long an acceptance without a passkey counts. */
    public static final Duration WITHIN = Duration.ofHours(24);

    /** The members of stored passkeys. */
    public static final Schema<OwnerPasskeys> STORED = Schema.of(
            row -> {
                List<Passkey> all = row.next();
                Usd above = row.next();
                Instant removedAt = row.next();
                ChangeProtection protection = row.next();
                List<Viewer> viewers = row.next();
                return new OwnerPasskeys(all, above, removedAt, protection, viewers == null ? List.of() : viewers);
            },
            required("passkeys", Codec.list(Passkey.STORED), OwnerPasskeys::all),
            nullable("above", Usd.CODEC, OwnerPasskeys::above),
            optional("removedAt", Codec.INSTANT, OwnerPasskeys::removedAt),
            inline(ChangeProtection.STORED, OwnerPasskeys::protection),
            optional(
                    "viewers",
                    Codec.list(Viewer.STORED),
                    passkeys -> passkeys.viewers.isEmpty() ? null : passkeys.viewers));

    public OwnerPasskeys {
        all = List.copyOf(all);
        viewers = List.copyOf(viewers);
    }

    public Optional<Passkey> find(String credentialId) {
        return all.stream()
                .filter(passkey -> passkey.credentialId().equals(credentialId))
                .findFirst();
    }

    /** With one more passkey, or with another state of one. */
    public OwnerPasskeys with(Passkey passkey) {
        boolean isKnown = find(passkey.credentialId()).isPresent();
        Stream<Passkey> next = isKnown
                ? all.stream().map(each -> each.credentialId().equals(passkey.credentialId()) ? passkey : each)
                : Stream.concat(all.stream(), Stream.of(passkey));
        return new OwnerPasskeys(next.toList(), above, removedAt, protection, viewers);
    }

    /** Without a passkey that is removed now. */
    public OwnerPasskeys without(String credentialId, Instant now) {
        return new OwnerPasskeys(
                all.stream()
                        .filter(passkey -> !passkey.credentialId().equals(credentialId))
                        .toList(),
                above,
                now,
                protection,
                viewers);
    }

    /** The passkeys that others do not have. */
    public List<Passkey> missingIn(OwnerPasskeys others) {
        return all.stream()
                .filter(passkey -> others.find(passkey.credentialId()).isEmpty())
                .toList();
    }

    public OwnerPasskeys requiredAbove(@Nullable Usd amount) {
        return new OwnerPasskeys(all, amount, removedAt, protection, viewers);
    }

    public OwnerPasskeys protectedBy(ChangeProtection next) {
        return new OwnerPasskeys(all, above, removedAt, next, viewers);
    }

    /** The viewer with an id, if it works at a time. */
    public Optional<Viewer> viewer(UUID id, Instant now) {
        return viewers.stream()
                .filter(viewer -> viewer.id().equals(id) && viewer.isWorking(now))
                .findFirst();
    }

    /** With one more viewer, and without those that have ended. */
    public OwnerPasskeys withViewer(Viewer viewer, Instant now) {
        Stream<Viewer> working = viewers.stream().filter(each -> each.isWorking(now));
        return new OwnerPasskeys(
                all,
                above,
                removedAt,
                protection,
                Stream.concat(working, Stream.of(viewer)).toList());
    }

    public OwnerPasskeys withoutViewer(UUID id) {
        return new OwnerPasskeys(
                all,
                above,
                removedAt,
                protection,
                viewers.stream().filter(viewer -> !viewer.id().equals(id)).toList());
    }

    /**
     * Whether the acceptance of an amount needs a passkey.
     *
     * @param unsigned what was accepted without one within the last {@link #WITHIN}
     */
    public boolean isRequiredFor(Usd amount, Usd unsigned) {
        return above != null && (above.isZero() || amount.plus(unsigned).isAbove(above));
    }

    /** Whether it depends on earlier acceptances which ones need a passkey. */
    public boolean countsUnsigned() {
        return above != null && !above.isZero();
    }

    /** Whether another threshold asks for fewer signatures than this one. */
    public boolean isLoosenedBy(@Nullable Usd other) {
        return above != null && (other == null || other.isAbove(above));
    }
}
