package dev.agentpolicy.domain.event.chain;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import java.util.List;

/**
 * What a proof of the transparency log says of a chain (docs/reference/events.md, Proofs): a row, and those after it up to
 * the first that has an entry.
 *
 * @param userId the owner of the chain
 * @param seq of the row that is proven
 * @param commitment the first half of the entry, base64url
 * @param rows without their payloads, oldest first
 */
public record LoggedRows(UserId userId, long seq, String commitment, List<PolicyEvent> rows) {
    private static final Schema<LoggedRows> MEMBERS = Schema.of(
            row -> new LoggedRows(row.next(), row.next(), row.next(), row.next()),
            required("userId", WireFields.USER_ID, LoggedRows::userId),
            required("seq", WireFields.seq(1), LoggedRows::seq),
            required("commitment", WireFields.KEY_ID, LoggedRows::commitment),
            required(
                    "rows",
                    new Codec<List<PolicyEvent>>(
                            (fields, name) -> fields.objects(name, Integer.MAX_VALUE, RowJson::header),
                            rows -> rows.stream().map(RowJson::header).toList()),
                    LoggedRows::rows));

    public LoggedRows {
        rows = List.copyOf(rows);
    }

    /** Reads the extra data of a proof; nothing of it is checked. */
    public static Reading<LoggedRows> read(Document document) {
        return MEMBERS.read(document, Decimals.NUMBERS)
                .then(read -> read.rows.isEmpty()
                        ? Reading.wrong(List.of(new Problem("rows", "A proof has at least one row.")))
                        : Reading.of(read));
    }

    /** The extra data in its canonical form. */
    public String text() {
        return CanonicalForm.writeStored(MEMBERS.write(this));
    }

    /** The row that has an entry. */
    public PolicyEvent last() {
        return rows.get(rows.size() - 1);
    }

    /** Whether the rows are of this user, begin with the one that is proven, have their hashes, and follow each other. */
    public boolean areLinked() {
        for (int i = 0; i < rows.size(); i++) {
            PolicyEvent row = rows.get(i);
            if (!row.userId().equals(userId)
                    || row.seq() != seq + i
                    || !Sha256.hex(Messages.header(row)).equals(row.hash())
                    || i > 0 && !row.prevHash().equals(rows.get(i - 1).hash())) {
                return false;
            }
        }
        return true;
    }
}
