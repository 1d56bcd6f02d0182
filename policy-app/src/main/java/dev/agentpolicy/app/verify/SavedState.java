package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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

    static SavedState read(Path file) {
        try {
            Document document = CanonicalForm.read(Files.readString(file).strip());
            Stored stored = new Stored(document);
            ChainPoint point = ChainPoint.saved(
                    new UserId(UUID.fromString(stored.text("userId"))),
                    stored.integer("seq"),
                    stored.text("hash"),
                    stored.text("signingKeyId"),
                    stored.instant("createdAt"));
            KnownKeys keys = new KnownKeys(
                    stored.textOrNull("firstKeyId"), stored.textOrNull("anchorKeyId"), stored.textOrNull("rootKeyId"));
            Long erased = stored.longOrNull("erasedRows");
            return new SavedState(point, keys, stored.integer("manifestVersion"), erased == null ? 0 : erased);
        } catch (IOException | IllegalArgumentException | IllegalStateException unreadable) {
            throw new CannotVerify(
                    "The file " + file + " is not one this command saved; move it away to begin anew.", unreadable);
        }
    }

    /** Replaces the file by a whole one. */
    void write(Path file) {
        Map<String, @Nullable Object> members = new HashMap<>();
        members.put("userId", point.userId().toString());
        members.put("seq", point.seq());
        members.put("hash", point.hash());
        members.put("signingKeyId", Objects.requireNonNull(point.signingKeyId()));
        members.put("createdAt", Instants.format(point.createdAt()));
        members.put("firstKeyId", keys.firstKeyId());
        members.put("anchorKeyId", keys.anchorKeyId());
        members.put("rootKeyId", keys.rootKeyId());
        members.put("manifestVersion", manifestVersion);
        members.put("erasedRows", erasedRows);
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(draft, CanonicalForm.write(members) + "\n");
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new CannotVerify("The file " + file + " cannot be written.", failed);
        }
    }
}
