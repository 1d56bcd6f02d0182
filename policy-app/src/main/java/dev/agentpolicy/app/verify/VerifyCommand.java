package dev.agentpolicy.app.verify;

import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.verify.Trust.Named;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.AssetNotes;
import dev.agentpolicy.domain.event.ChainPoint;
import dev.agentpolicy.domain.event.ChainVerdict;
import dev.agentpolicy.domain.event.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.ChainVerifier;
import dev.agentpolicy.domain.event.Recomputation;
import dev.agentpolicy.domain.event.Recomputation.Outcome;
import dev.agentpolicy.domain.event.SignatureCheck;
import dev.agentpolicy.domain.event.SignedHead;
import dev.agentpolicy.domain.event.SigningKeyManifest;
import dev.agentpolicy.domain.event.SigningKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies a chain with public data only, from files or from a running service (docs/verify.md). */
@Command(
        name = "verify",
        description = "Verify a chain of signed events; prints one line. Exit code 0: intact. 1: broken. 2: no verdict,"
                + " since something could not be read.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class VerifyCommand implements Callable<Integer> {
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final int INTACT = 0;
    private static final int BROKEN = 1;
    private static final int NO_VERDICT = 2;

    @Parameters(paramLabel = "FILE", description = "Pages, oldest first, and last the keys; short for the next two.")
    private List<Path> files = new ArrayList<>();

    @Option(names = "--events", arity = "1..*", paramLabel = "FILE", description = "Pages of policy/events, in order.")
    private List<Path> events = new ArrayList<>();

    @Option(names = "--keys", paramLabel = "FILE", description = "What signing-keys answered.")
    private @Nullable Path keys;

    @Option(names = "--url", paramLabel = "BASE", description = "Ask the service there instead of reading files.")
    private @Nullable String url;

    @Option(
            names = "--api-key-env",
            paramLabel = "NAME",
            description = "Environment variable with a key that may read.")
    private @Nullable String apiKeyVariable;

    @Option(
            names = "--save",
            paramLabel = "FILE",
            description = "Keep there where this ends, and go on from it next time.")
    private @Nullable Path save;

    @Option(names = "--recompute", description = "Decide every decision again, and compare.")
    private boolean isRecomputing;

    @Mixin
    private Trust trust = new Trust();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    private final Map<String, String> environment;

    /** @param environment where the key of {@code --api-key-env} is */
    public VerifyCommand(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    @Override
    public Integer call() throws InterruptedException {
        try {
            return verify();
        } catch (CannotVerify | IOException unreadable) {
            spec.commandLine().getErr().println("verify: " + unreadable.getMessage());
            return NO_VERDICT;
        }
    }

    private int verify() throws IOException, InterruptedException {
        Remote remote = url == null ? null : new Remote(url, credential());
        arrange(remote != null);
        Saved saved = save != null && Files.exists(save) ? Saved.read(save) : null;
        SigningKeyManifest manifest = manifest(remote);
        Recomputation recomputation = isRecomputing ? Recomputation.begin() : null;
        Progress progress = new Progress(spec.commandLine().getErr(), System.console() != null);
        ChainVerdict verdict = checked(manifest, saved, remote, recomputation, progress);
        String line = verdict.fold(
                intact -> "ok " + intact.upTo().seq() + " rows, head "
                        + intact.upTo().hash() + said(recomputation),
                broken -> "broken at seq " + broken.seq() + ": " + broken.reason());
        spec.commandLine().getOut().println(line);
        sayNotes(recomputation);
        spec.commandLine().getOut().flush();
        progress.sayRate();
        verdict.then(reached -> keep(reached, manifest));
        return verdict.isIntact() ? INTACT : BROKEN;
    }

    /** What the asset directory of this program knows otherwise; no failure of the chain. */
    private void sayNotes(@Nullable Recomputation recomputation) {
        if (recomputation == null) {
            return;
        }
        AssetNotes notes = recomputation.assetNotes();
        for (AssetNotes.Note note : notes.first()) {
            spec.commandLine().getOut().println("note at seq " + note.seq() + ": " + note.what());
        }
        long more = notes.count() - notes.first().size();
        if (more > 0) {
            spec.commandLine().getOut().println("and " + more + " more notes on assets");
        }
    }

    private void arrange(boolean isOnline) {
        if (!files.isEmpty() && events.isEmpty() && keys == null) {
            events = files.subList(0, files.size() - 1);
            keys = files.get(files.size() - 1);
        }
        if (isOnline == !events.isEmpty()) {
            throw new CannotVerify("Give either the pages and the keys in files, or --url; see --help.");
        }
        if (isRecomputing && trust.isFromElsewhere()) {
            throw new CannotVerify("--recompute begins at the first row; leave out --from.");
        }
    }

    private ChainVerdict checked(
            SigningKeyManifest manifest,
            @Nullable Saved saved,
            @Nullable Remote remote,
            @Nullable Recomputation recomputation,
            Progress progress)
            throws IOException, InterruptedException {
        SignatureCheck check = new TinkSignatureCheck();
        if (manifest.signature() != null && !manifest.isSigned(check)) {
            return new Broken(1, "The manifest is not signed by its anchor or root key.");
        }
        if (saved != null && manifest.version() < saved.manifestVersion()) {
            return new Broken(1, "The manifest is older than one that was seen before.");
        }
        Map<Long, String> known = new HashMap<>();
        for (Named named : named(saved)) {
            String other = known.put(named.seq(), named.hash());
            if (other != null && !other.equals(named.hash())) {
                return new Broken(named.seq(), "Two rows were given out for this place; keep both, they prove it.");
            }
        }
        SigningKeys signers = trust.among(SigningKeys.of(manifest.keys(), trust.purpose()));
        ChainVerifier verifier = new ChainVerifier(signers, check, known);
        for (SignedHead head : trust.heads()) {
            if (!verifier.isIssued(head)) {
                return new Broken(head.seq(), "The head that was kept is not signed by a key of this manifest.");
            }
        }
        Verification verification = new Verification(verifier, owner -> start(owner, saved), recomputation, progress);
        Instant since = saved == null || isRecomputing ? null : saved.point().createdAt();
        try (Pages pages = remote == null ? new FilePages(events) : new RemotePages(remote, since)) {
            return verification.of(pages, trust.issuedSince().orElse(oldestHead(remote)));
        } finally {
            progress.end();
        }
    }

    /** Receipts, kept heads, and where the last verification ended. */
    private List<Named> named(@Nullable Saved saved) {
        Stream<Named> heads = trust.heads().stream().map(head -> new Named(head.seq(), head.hash()));
        Stream<Named> last = Stream.ofNullable(saved)
                .map(it -> new Named(it.point().seq(), it.point().hash()));
        return Stream.of(trust.receipts().stream(), heads, last)
                .flatMap(named -> named)
                .toList();
    }

    private ChainPoint start(UserId owner, @Nullable Saved saved) {
        return saved == null || isRecomputing
                ? trust.from(owner).orElseGet(() -> trust.beginning(owner))
                : saved.point();
    }

    private static Instant oldestHead(@Nullable Remote remote) {
        return remote == null ? Instant.MIN : Instant.now().minus(FRESH);
    }

    private SigningKeyManifest manifest(@Nullable Remote remote) throws IOException, InterruptedException {
        String source = remote == null ? String.valueOf(keys) : "signing-keys";
        if (remote == null && keys == null) {
            throw new CannotVerify("The keys are missing; give them by --keys.");
        }
        byte[] json = remote == null ? Trust.bytes(Path.of(source)) : remote.get("/api/agent/v1/signing-keys");
        Reading<SigningKeyManifest> manifest = SigningKeyManifest.read(Page.document(json, source));
        return manifest.fold(read -> read, problems -> {
            throw new CannotVerify(source + " is no manifest of signing keys: " + Page.what(problems));
        });
    }

    private ChainVerdict keep(ChainPoint reached, SigningKeyManifest manifest) {
        if (save != null && reached.signingKeyId() != null) {
            new Saved(reached, manifest.version()).write(save);
        }
        return new ChainVerdict.Intact(reached);
    }

    private @Nullable String credential() {
        if (apiKeyVariable == null) {
            throw new CannotVerify("--url needs --api-key-env, the name of a variable that holds a key.");
        }
        String key = environment.get(apiKeyVariable);
        if (key == null || key.isBlank()) {
            throw new CannotVerify("The environment variable " + apiKeyVariable + " holds no key.");
        }
        return key.strip();
    }

    private static String said(@Nullable Recomputation done) {
        if (done == null) {
            return "";
        }
        return ", " + done.count(Outcome.RECOMPUTED) + " verdicts recomputed (not decided again: "
                + done.count(Outcome.UNREADABLE) + " unreadable, " + done.count(Outcome.TURNED_DOWN)
                + " turned down by the user, " + done.count(Outcome.ERASED) + " erased)";
    }
}
