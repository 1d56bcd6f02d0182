package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.SignedHead;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Stack;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The command-line options with keys, receipts and heads that the caller already trusts. */
final class TrustOptions {
    private static final Pattern RECEIPT = Pattern.compile("[ \\t\\r]*([0-9]{1,15})[: \\t]+([0-9a-f]{64})[ \\t\\r]*");
    private static final Pattern PLACE =
            Pattern.compile("([0-9]{1,15}),([0-9a-f]{64}),([A-Za-z0-9_-]{43}),([0-9TZ:.-]{27})");

    @Option(names = "--purpose", paramLabel = "PURPOSE", description = "Which keys may sign: event, or sandbox.")
    private String purpose = Purpose.EVENT.wireName();

    @Option(
            names = "--pin",
            paramLabel = "KID",
            description = "The key that must sign the first row.",
            preprocessor = KeyIdParameter.class)
    private @Nullable String pin;

    @Option(
            names = "--anchor",
            paramLabel = "KID",
            description = "The key that must have signed the manifest, or vouched for the one that did.",
            preprocessor = KeyIdParameter.class)
    private @Nullable String anchor;

    @Option(
            names = "--root",
            paramLabel = "KID",
            description = "The root key; no emergency rotation holds without it.",
            preprocessor = KeyIdParameter.class)
    private @Nullable String root;

    @Option(names = "--from", paramLabel = "SEQ,HASH,KID,TIME", description = "Last row of an earlier verification.")
    private @Nullable String from;

    @Option(names = "--receipt", paramLabel = "SEQ:HASH", description = "A row the service once named; repeatable.")
    private List<String> receipts = new ArrayList<>();

    @Option(names = "--receipts", paramLabel = "FILE", description = "The same from a file, one SEQ:HASH a line.")
    private @Nullable Path receiptFile;

    @Option(names = "--head", paramLabel = "FILE", description = "A signed head you kept; repeatable.")
    private List<Path> heads = new ArrayList<>();

    @Option(names = "--issued-since", paramLabel = "TIME", description = "The oldest head that is fresh enough.")
    private @Nullable String issuedSince;

    @Option(names = "--tlog-proof", paramLabel = "FILE", description = "A proof that a row is in the transparency log.")
    private @Nullable Path proof;

    @Option(names = "--policy", paramLabel = "FILE", description = "Which witnesses must have cosigned the proof.")
    private @Nullable Path policy;

    /** Takes the word after an option as its value even if it begins with a hyphen, as a key id may. */
    private static final class KeyIdParameter implements IParameterPreprocessor {
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (words.isEmpty()) {
                return false;
            }
            option.setValue(words.pop());
            return true;
        }
    }

    /** A row the service once named. */
    record Named(long seq, String hash) {}

    Purpose purpose() {
        return Purpose.named(purpose)
                .filter(named -> named == Purpose.EVENT || named == Purpose.SANDBOX)
                .orElseThrow(() -> new CannotVerify("--purpose must be event or sandbox, not '" + purpose + "'."));
    }

    /** The keys that were given; the key of a given place stands for that of the first row. */
    KnownKeys given() {
        return new KnownKeys(from == null ? pin : place().group(3), anchor, root);
    }

    /** The keys to trust: those that were given, else those of an earlier run. */
    KnownKeys known(@Nullable SavedState saved) {
        KnownKeys before = saved == null ? KnownKeys.NONE : saved.keys();
        return new KnownKeys(
                pin == null ? before.firstKeyId() : pin,
                anchor == null ? before.anchorKeyId() : anchor,
                root == null ? before.rootKeyId() : root);
    }

    /** Refuses options that contradict each other, since one of them would be passed over in silence. */
    void requireConsistent(@Nullable SavedState saved) {
        for (String kid : Arrays.asList(pin, anchor, root)) {
            if (kid != null && !Base64Url.isText(kid, Base64Url.KEY_BYTES)) {
                throw new CannotVerify("--pin, --anchor and --root need the id of a key, not '" + kid + "'.");
            }
        }
        if (from != null) {
            place();
        }
        if (from != null && pin != null) {
            throw new CannotVerify("--from names the key itself; leave out --pin.");
        }
        if (from != null && saved != null) {
            throw new CannotVerify("The file of --save says where to go on; leave out --from.");
        }
        if (pin != null && saved != null && saved.keys().firstKeyId() == null) {
            throw new CannotVerify("The file of --save does not say which key signed the first row; leave out --pin,"
                    + " or move the file away to begin anew.");
        }
    }

    /** The proof to check with the chain, if one was given. */
    Optional<TlogProof> proof() {
        if (policy != null && proof == null) {
            throw new CannotVerify("--policy needs --tlog-proof.");
        }
        return Optional.ofNullable(proof).map(file -> new TlogProof(file, policy));
    }

    /** The rows of receipts, as they were given. */
    List<Named> receipts() {
        List<String> lines = new ArrayList<>(receipts);
        if (receiptFile != null) {
            lines.addAll(List.of(new String(bytes(receiptFile), StandardCharsets.UTF_8).split("\n")));
        }
        lines.removeIf(line -> line.matches("[ \\t\\r]*"));
        return lines.stream().map(TrustOptions::named).toList();
    }

    /** The heads that were kept. */
    List<SignedHead> heads() {
        return heads.stream()
                .map(file -> read(file, document -> Page.head(document), "is no head"))
                .toList();
    }

    /** Where an earlier verification ended, as given on the command line. */
    Optional<ChainPoint> from(UserId owner) {
        if (from == null) {
            return Optional.empty();
        }
        Matcher place = place();
        Instant time = Objects.requireNonNull(Instants.parse(place.group(4)));
        return Optional.of(
                ChainPoint.saved(owner, Long.parseLong(place.group(1)), place.group(2), place.group(3), time));
    }

    /**
     * Reads a file that must be of some form.
     *
     * @param other the end of the sentence about a file that is not
     */
    static <T> T read(Path file, Function<Document, Reading<T>> reader, String other) {
        Reading<T> reading;
        try {
            reading = reader.apply(Page.document(bytes(file), file.toString(), 0));
        } catch (Page.OutsideProfile ambiguous) {
            throw new CannotVerify("The file " + file + " " + other + ".", ambiguous);
        }
        return reading.fold(value -> value, problems -> {
            throw new CannotVerify("The file " + file + " " + other + ": " + Page.what(problems));
        });
    }

    private Matcher place() {
        Matcher place = PLACE.matcher(String.valueOf(from));
        if (!place.matches()
                || !Base64Url.isText(place.group(3), Base64Url.KEY_BYTES)
                || Instants.parse(place.group(4)) == null) {
            throw new CannotVerify("--from must be SEQ,HASH,KID,TIME of a row, not '" + from + "'.");
        }
        return place;
    }

    boolean isFromElsewhere() {
        return from != null;
    }

    /** The beginning of a chain. */
    static ChainPoint beginning(UserId owner, KnownKeys known) {
        String first = known.firstKeyId();
        return first == null ? ChainPoint.fresh(owner) : ChainPoint.pinned(owner, first);
    }

    /** The oldest head that is fresh enough, if one was asked for. */
    Optional<Instant> issuedSince() {
        if (issuedSince == null) {
            return Optional.empty();
        }
        Instant instant = Instants.parse(issuedSince);
        if (instant == null) {
            throw new CannotVerify(
                    "--issued-since needs a time like 2026-11-21T09:40:00.000000Z, not '" + issuedSince + "'.");
        }
        return Optional.of(instant);
    }

    static byte[] bytes(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException unreadable) {
            throw new CannotVerify("The file " + file + " cannot be read.", unreadable);
        }
    }

    private static Named named(String line) {
        Matcher receipt = RECEIPT.matcher(line);
        if (!receipt.matches()) {
            throw new CannotVerify("A receipt must be SEQ:HASH, not '" + line + "'.");
        }
        return new Named(Long.parseLong(receipt.group(1)), receipt.group(2));
    }
}
