package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.CanonicalForm;
import dev.agentpolicy.domain.event.ChainPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Where a verification ended, kept in a file for the next one.
 *
 * @param point the last row, and the key that must sign the one after it
 * @param manifestVersion the highest version of the manifest that was seen
 */
record Saved(ChainPoint point, long manifestVersion) {

    static Saved read(Path file) {
        try {
            Document document = CanonicalForm.read(Files.readString(file).strip());
            Stored stored = new Stored(document);
            ChainPoint point = ChainPoint.saved(
                    new UserId(UUID.fromString(stored.text("userId"))),
                    stored.integer("seq"),
                    stored.text("hash"),
                    stored.text("signingKeyId"),
                    stored.instant("createdAt"));
            return new Saved(point, stored.integer("manifestVersion"));
        } catch (IOException | IllegalArgumentException | IllegalStateException unreadable) {
            throw new CannotVerify(
                    "The file " + file + " is not one this command saved; move it away to begin anew.", unreadable);
        }
    }

    /** Replaces the file by a whole one. */
    void write(Path file) {
        Map<String, Object> members = Map.of(
                "userId", point.userId().toString(),
                "seq", point.seq(),
                "hash", point.hash(),
                "signingKeyId", Objects.requireNonNull(point.signingKeyId()),
                "createdAt", Instants.format(point.createdAt()),
                "manifestVersion", manifestVersion);
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.writeString(draft, CanonicalForm.write(Map.copyOf(members)) + "\n");
            Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failed) {
            throw new CannotVerify("The file " + file + " cannot be written.", failed);
        }
    }
}
