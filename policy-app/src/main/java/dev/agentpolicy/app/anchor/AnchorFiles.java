package dev.agentpolicy.app.anchor;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.event.anchor.AnchorNote;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of anchors: a note and its leaves for each anchor, and the salt for the names of the leaves. Keep it
 * apart from the database.
 */
record AnchorFiles(Path directory) {
    private static final String NOTE = ".note";
    private static final String LEAVES = ".leaves";
    private static final String SALT = "salt";
    private static final int SALT_LENGTH = 32;
    private static final int SALT_READS = 20;
    private static final long SALT_PAUSE_MILLIS = 100;

    /**
     * The last anchor there is.
     *
     * @param note the text of the note
     * @param text the whole note as it was written
     */
    record Last(AnchorNote note, String text) {}

    /** Makes the directory if there is none, and closes a salt that an older version left open to others. */
    private void prepare() {
        try {
            OwnerOnlyFiles.createDirectories(directory);
            OwnerOnlyFiles.restrict(directory.resolve(SALT));
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    @Nullable
    Last last() {
        prepare();
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> newest = files.filter(file -> file.toString().endsWith(NOTE))
                    .sorted()
                    .reduce((a, b) -> b);
            if (newest.isEmpty()) {
                return null;
            }
            String text = Files.readString(newest.get());
            AnchorNote note = AnchorNote.read(text);
            if (note == null || !newest.get().equals(file(note.number(), NOTE))) {
                throw new CannotStart(
                        "The anchor " + newest.get() + " is damaged; fetch it again from where it is kept.");
            }
            return new Last(note, text);
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    BufferedReader leaves(long number) {
        try {
            return Files.newBufferedReader(file(number, LEAVES));
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** Leaves that have no name yet; each node drafts its own. */
    BufferedWriter draft(UUID node) {
        try {
            return Files.newBufferedWriter(OwnerOnlyFiles.recreate(directory.resolve(node + LEAVES)));
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** Gives the drafted leaves their name, then the note: an anchor with a note is whole. */
    void publish(UUID node, AnchorNote note, String signed) {
        try {
            Files.move(
                    directory.resolve(node + LEAVES), file(note.number(), LEAVES), StandardCopyOption.REPLACE_EXISTING);
            Path draft = Files.writeString(OwnerOnlyFiles.recreate(directory.resolve(node + ".draft")), signed);
            Files.move(draft, file(note.number(), NOTE));
        } catch (IOException failed) {
            throw unusable(failed);
        }
    }

    /** The salt, drawn at the first anchor; of several nodes that begin at once, one draws it for all. */
    String salt(Supplier<byte[]> random) {
        Path file = directory.resolve(SALT);
        try {
            if (!Files.exists(file)) {
                Files.writeString(OwnerOnlyFiles.create(file), HexFormat.of().formatHex(random.get()));
            }
        } catch (FileAlreadyExistsException drawnByAnother) {
            // Read below, once it is whole.
        } catch (IOException failed) {
            throw unusable(failed);
        }
        return salt(file);
    }

    private String salt(Path file) {
        try {
            for (int i = 0; i < SALT_READS; i++) {
                String salt = Files.readString(file).strip();
                if (salt.length() >= SALT_LENGTH) {
                    return salt;
                }
                TimeUnit.MILLISECONDS.sleep(SALT_PAUSE_MILLIS);
            }
        } catch (IOException failed) {
            throw unusable(failed);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        throw new CannotStart("The salt " + file + " of the anchors is damaged; fetch it again from where it is kept.");
    }

    private Path file(long number, String kind) {
        return directory.resolve(String.format("%010d%s", number, kind));
    }

    private CannotStart unusable(IOException failed) {
        return new CannotStart("The directory of anchors " + directory + " cannot be used; make it writable.", failed);
    }
}
