package dev.agentpolicy.app.guard;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.ChainHead;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A head as one line of text: user, seq, hash, time, and a checksum of these, separated by blanks. */
final class HeadRecord {
    private static final Pattern BLANK = Pattern.compile(" ");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final int PARTS = 5;

    private HeadRecord() {}

    /** The line, with its end. */
    static String line(ChainHead head) {
        String content =
                head.userId().value() + " " + head.seq() + " " + head.hash() + " " + Instants.format(head.createdAt());
        return content + " " + checksum(content) + "\n";
    }

    /** The head of a line without its end; null when the line is torn or damaged. */
    static @Nullable ChainHead read(String line) {
        int checked = line.lastIndexOf(' ');
        if (checked < 0 || !line.substring(checked + 1).equals(checksum(line.substring(0, checked)))) {
            return null;
        }
        String[] parts = BLANK.split(line, -1);
        if (parts.length != PARTS || !HASH.matcher(parts[2]).matches()) {
            return null;
        }
        Instant createdAt = Instants.parse(parts[3]);
        try {
            return createdAt == null
                    ? null
                    : new ChainHead(
                            new UserId(UUID.fromString(parts[0])), Long.parseLong(parts[1]), parts[2], createdAt);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static String checksum(String content) {
        CRC32C checksum = new CRC32C();
        checksum.update(content.getBytes(StandardCharsets.ISO_8859_1));
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }
}
