package dev.agentpolicy.app.verify;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;

/**
 * The end of a verification and the keys it trusted, stored in a file for the next one. The programs of docs/verify
 * read and write the same file.
 *
 * @param point the last row, and the key that must sign the one after it
 * @param keys the keys to trust from now on; the root key only if it was given
 * @param manifestVersion the highest version of the manifest that was seen
 * @param erasedRows rows without a payload up to the point
 */
record SavedState(ChainPoint point, KnownKeys keys, long manifestVersion, long erasedRows) {

    private static final Schema<SavedState> MEMBERS = Schema.of(
            row -> {
                ChainPoint point = ChainPoint.saved(row.next(), row.next(), row.next(), row.next(), row.next());
                KnownKeys keys = new KnownKeys(row.next(), row.next(), row.next());
                return new SavedState(point, keys, row.next(), row.nextOr(0L));
            },
            required("userId", WireFields.USER_ID, state -> state.point.userId()),
            required("seq", WireFields.seq(0), state -> state.point.seq()),
            required("hash", WireFields.HASH, state -> state.point.hash()),
            required("signingKeyId", WireFields.KEY_ID, state -> Objects.requireNonNull(state.point.signingKeyId())),
            required("createdAt", WireFields.INSTANT, state -> state.point.createdAt()),
            nullable("firstKeyId", WireFields.KEY_ID, state -> state.keys.firstKeyId()),
            nullable("anchorKeyId", WireFields.KEY_ID, state -> state.keys.anchorKeyId()),
            nullable("rootKeyId", WireFields.KEY_ID, state -> state.keys.rootKeyId()),
            required("manifestVersion", WireFields.seq(0), SavedState::manifestVersion),
            nullable("erasedRows", WireFields.seq(0), SavedState::erasedRows));

    static SavedState read(Path file) {
        return TrustOptions.read(
                file,
                document -> MEMBERS.read(document, Decimals.NUMBERS),
                "is not one this command saved; move it away to begin anew");
    }

    /** Replaces the file by a whole one. */
    void write(Path file) {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(draft, CanonicalForm.write(MEMBERS.write(this)) + "\n");
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new CannotVerify("The file " + file + " cannot be written.", failed);
        }
    }
}
