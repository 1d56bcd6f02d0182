package dev.agentpolicy.domain.agent;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Somebody who may look at an account and change nothing, such as an adviser (docs/reference/viewers.md). Whoever has the
 * address that was made for a viewer can open sessions of the viewer.
 *
 * @param id by which its user names it
 * @param name the user's name for it
 * @param secretHash hash of the token in its address
 * @param createdAt when it was made
 * @param expiresAt when it ends
 */
public record Viewer(UUID id, String name, String secretHash, Instant createdAt, Instant expiresAt) {
    /** Maximum number of working viewers of a user. */
    public static final int MAX = 20;

    /** The longest time for which a viewer works, in days. */
    public static final int MAX_DAYS = 365;

    /** Number of bytes of the secret in a token. */
    public static final int SECRET_BYTES = 32;

    private static final int MAX_NAME = 100;
    private static final Pattern TOKEN = Pattern.compile("([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})"
            + "([0-9a-f]{12})[0-9a-f]{" + 2 * SECRET_BYTES + "}");

    /** The members of stored viewers. */
    public static final Schema<Viewer> STORED = Schema.of(
            row -> new Viewer(UUID.fromString(row.next()), row.next(), row.next(), row.next(), row.next()),
            required("id", Codec.TEXT, viewer -> viewer.id.toString()),
            required("name", Codec.TEXT, Viewer::name),
            required("secretHash", Codec.TEXT, Viewer::secretHash),
            required("createdAt", Codec.INSTANT, Viewer::createdAt),
            required("expiresAt", Codec.INSTANT, Viewer::expiresAt));

    /** A viewer to make, for a number of days. */
    public record ViewerRequest(String name, int days) {

        public static Reading<ViewerRequest> read(Document sent) {
            Fields fields = new Fields(sent, Decimals.NUMBERS);
            String name = fields.text("name", 1, MAX_NAME);
            Integer days = fields.integer("expiresInDays", 1, MAX_DAYS);
            fields.require("name", "expiresInDays");
            return fields.finish(() -> new ViewerRequest(Fields.present(name), Fields.present(days)));
        }

        /** The viewer that is made of this now, for the holder of a token. */
        public Viewer made(UUID id, String token, Instant now) {
            return new Viewer(id, name, Sha256.hex(token), now, now.plus(Duration.ofDays(days)));
        }
    }

    public boolean isWorking(Instant now) {
        return now.isBefore(expiresAt);
    }

    /** The token in an address: the user, by whom the viewer is found, and a secret, in hexadecimal digits. */
    public static String token(UserId user, byte[] secret) {
        return user.toString().replace("-", "") + HexFormat.of().formatHex(secret);
    }

    /** The user that a token names; empty for a text that is no token. */
    public static Optional<UserId> userOf(String token) {
        Matcher read = TOKEN.matcher(token);
        return read.matches()
                ? Optional.of(new UserId(UUID.fromString(read.replaceFirst("$1-$2-$3-$4-$5"))))
                : Optional.empty();
    }

    @Override
    public String toString() {
        return "Viewer[" + id + "]";
    }
}
