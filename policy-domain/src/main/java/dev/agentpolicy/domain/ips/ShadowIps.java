package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import java.time.Instant;

/**
 * A statement that is rehearsed beside the one in force and decides nothing (docs/reference/shadow.md).
 *
 * @param statement with canonical symbols
 * @param keepsApprovals whether it takes the approvals in force, and not its own
 * @param since when the user set it
 * @param fromSeq the first row of the chain that can have a decision since then
 */
public record ShadowIps(Ips statement, boolean keepsApprovals, Instant since, long fromSeq) {
    public static final Schema<ShadowIps> STORED = Schema.of(
            row -> {
                Ips statement = row.next();
                Boolean keeps = row.next();
                return new ShadowIps(statement, Boolean.TRUE.equals(keeps), row.next(), row.next());
            },
            required("statement", IpsDocument.STORED, ShadowIps::statement),
            optional("keepsApprovals", Codec.TRUTH, shadow -> shadow.keepsApprovals ? true : null),
            required("since", Codec.INSTANT, ShadowIps::since),
            required("fromSeq", Codec.LONG, ShadowIps::fromSeq));

    /** Whether another one rehearses the same statement. */
    public boolean isSame(ShadowIps other) {
        return statement.equals(other.statement) && keepsApprovals == other.keepsApprovals;
    }
}
