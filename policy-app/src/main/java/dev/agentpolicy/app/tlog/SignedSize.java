package dev.agentpolicy.app.tlog;

import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The largest checkpoint that was signed, kept beside the recorded heads and outside of the database, so that a database
 * that went back is found before another history of the log is signed.
 */
final class SignedSize {
    private static final Logger LOG = LoggerFactory.getLogger(SignedSize.class);

    private final Path directory;
    private final Path file;
    private boolean isFailing;

    /** @param directory POLICY_STATE_DIR */
    SignedSize(Path directory, UUID installation) {
        this.directory = directory;
        this.file = directory.resolve("tlog-" + installation + ".checkpoint");
    }

    /** The recorded checkpoint of a log; empty when there is none. A file that cannot be read is warned of. */
    Optional<Checkpoint> of(String origin) {
        try {
            return Files.exists(file)
                    ? Checkpoint.read(Files.readString(file))
                            .<Optional<Checkpoint>>fold(Optional::of, damaged -> {
                                LOG.warn("The file {} is damaged and left out", file);
                                return Optional.empty();
                            })
                            .filter(it -> it.origin().equals(origin))
                    : Optional.empty();
        } catch (IOException failed) {
            LOG.warn("The file {} cannot be read and is left out: {}", file, failed.toString());
            return Optional.empty();
        }
    }

    /** Records a checkpoint before it is signed. If that fails there is a warning, and signing goes on. */
    void record(Checkpoint checkpoint) {
        try {
            OwnerOnlyFiles.createDirectories(directory);
            OwnerOnlyFiles.replace(file, checkpoint.text());
            isFailing = false;
        } catch (IOException failed) {
            if (!isFailing) {
                LOG.warn("The size of the transparency log cannot be recorded: {}", failed.toString());
            }
            isFailing = true;
        }
    }
}
