package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.event.passkey.AttestedChange.SignedChange;
import dev.agentpolicy.domain.ips.Approval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A looser statement that waits until it comes into force (docs/reference/ips.md).
 *
 * @param statement as it would have been put in force at once
 * @param keepsApprovals whether it takes the approvals that are in force then, and not its own
 * @param known the approvals that were in force when it was put; later ones are kept with its own
 * @param scheduledAt when the user put it
 * @param effectiveAt when it comes into force
 * @param signed what the user signed with a passkey to put it; null when nothing was signed
 */
public record ScheduledIps(
        Ips statement,
        boolean keepsApprovals,
        List<Approval> known,
        Instant scheduledAt,
        Instant effectiveAt,
        @Nullable SignedChange signed) {
    private static final Codec<Ips> STATEMENT =
            Codec.object(signed -> IpsDocument.readSigned(signed).orElseThrow(), IpsDocument::toSigned);

    public static final Schema<ScheduledIps> STORED = Schema.of(
            row -> {
                Ips statement = row.next();
                Boolean keeps = row.next();
                return new ScheduledIps(
                        statement, Boolean.TRUE.equals(keeps), row.next(), row.next(), row.next(), row.next());
            },
            required("statement", STATEMENT, ScheduledIps::statement),
            optional("keepsApprovals", Codec.TRUTH, scheduled -> scheduled.keepsApprovals ? true : null),
            required("known", Codec.list(Approval.SCHEMA), ScheduledIps::known),
            required("scheduledAt", Codec.INSTANT, ScheduledIps::scheduledAt),
            required("effectiveAt", Codec.INSTANT, ScheduledIps::effectiveAt),
            optional("confirmation", Codec.object(SignedChange.SCHEMA), ScheduledIps::signed));

    public ScheduledIps {
        known = List.copyOf(known);
    }

    public boolean isDue(Instant now) {
        return !now.isBefore(effectiveAt);
    }

    /** The statement with the approvals that it would come into force with, before those that ended are left out. */
    public Ips withApprovalsOf(Ips inForce) {
        return keepsApprovals
                ? statement.withApprovals(inForce.approvals())
                : statement.withApprovals(Stream.concat(
                                statement.approvals().stream(),
                                inForce.approvals().stream().filter(approval -> !known.contains(approval)))
                        .distinct()
                        .toList());
    }
}
