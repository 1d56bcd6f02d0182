package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.ChainPoint;
import dev.agentpolicy.domain.event.chain.ChainVerdict;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Broken;
import dev.agentpolicy.domain.event.chain.ChainVerdict.Intact;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.event.recompute.Recomputation.AssetNotes;
import dev.agentpolicy.domain.event.recompute.Recomputation.RecomputationResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
                + " since something could not be read. 3: intact, and some payloads were erased.",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class VerifyCommand implements Callable<Integer> {
    private static final Duration FRESH = Duration.ofMinutes(5);
    private static final int INTACT = 0;
    private static final int BROKEN = 1;
    private static final int NO_VERDICT = 2;
    private static final int ERASED = 3;

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

    @Option(
            names = "--tlog",
            paramLabel = "FILE",
            description = "Follow the whole transparency log too; the file has what GET /api/app/v1/log answered.")
    private @Nullable Path tlog;

    @Mixin
    private TrustOptions trust = new TrustOptions();

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

    // System.console() is null without a terminal on JDK 17 and 25; in between, the progress is printed even then.
    @SuppressWarnings("SystemConsoleNull")
    private int verify() throws IOException, InterruptedException {
        ServiceClient remote = url == null ? null : new ServiceClient(url, credential());
        arrange(remote != null);
        SavedState saved = save != null && Files.exists(save) ? SavedState.read(save) : null;
        trust.requireConsistent(saved);
        Recomputation recomputation = isRecomputing ? Recomputation.begin() : null;
        Progress progress = new Progress(spec.commandLine().getErr(), System.console() != null);
        Optional<LogFollower> follower = follower(remote);
        VerifyRun run = new VerifyRun(trust, saved, recomputation, follower, progress);
        ChainVerdict verdict = verdict(run, remote);
        PrintWriter out = spec.commandLine().getOut();
        if (verdict instanceof Broken broken) {
            out.println("broken at seq " + broken.seq() + ": " + broken.reason() + " [" + run.trustUsed() + "]");
            sayNotes(recomputation, out);
            progress.sayRate();
            return BROKEN;
        }
        ChainPoint reached = ((Intact) verdict).upTo();
        long erased = run.erased(reached);
        out.println("ok " + reached.seq() + " rows, head " + reached.hash()
                + (erased == 0 ? "" : ", " + erased + " erased") + run.signedByPasskey() + run.logged()
                + said(recomputation) + " ["
                + run.trustUsed() + "]");
        if (run.highestNamed() > reached.seq()) {
            out.println("The log goes on: the signed head names row " + run.highestNamed() + ".");
        }
        sayNotes(recomputation, out);
        progress.sayRate();
        follower.ifPresent(LogFollower::save);
        SavedState state = run.toSave(reached);
        if (save != null && state != null) {
            state.write(save);
        }
        return erased == 0 ? INTACT : ERASED;
    }

    private ChainVerdict verdict(VerifyRun run, @Nullable ServiceClient remote)
            throws IOException, InterruptedException {
        ChainVerdict verdict;
        try {
            Document manifest = manifest(remote);
            verdict = remote == null
                    ? run.of(manifest, since -> new FilePages(events), Instant.MIN)
                    : run.of(manifest, remote::pages, Instant.now().minus(FRESH));
        } catch (Page.OutsideProfile ambiguous) {
            verdict = new Broken(1, String.valueOf(ambiguous.getMessage()));
        }
        if (remote == null && verdict instanceof Broken) {
            requireReadable();
        }
        return verdict;
    }

    /** A file that cannot be read leaves no verdict, wherever in the files before it the chain is broken. */
    private void requireReadable() throws IOException {
        try (FilePages pages = new FilePages(events)) {
            int count = 0;
            for (boolean isMore = true; isMore; count++) {
                try {
                    isMore = pages.next() != null;
                } catch (Page.OutsideProfile known) {
                    isMore = true;
                }
            }
            if (count == 1) {
                throw new CannotVerify("There is no page to verify.");
            }
        }
    }

    /** Assets that the directory of this program resolves differently; not a failure of the chain. */
    private static void sayNotes(@Nullable Recomputation recomputation, PrintWriter out) {
        if (recomputation != null) {
            AssetNotes notes = recomputation.assetNotes();
            notes.first().forEach(note -> out.println("note at seq " + note.seq() + ": " + note.what()));
            long more = notes.count() - notes.first().size();
            if (more > 0) {
                out.println("and " + more + " more notes on assets");
            }
        }
        out.flush();
    }

    private Optional<LogFollower> follower(@Nullable ServiceClient remote) {
        if (tlog == null) {
            return Optional.empty();
        }
        if (remote == null || trust.isFromElsewhere()) {
            throw new CannotVerify("--tlog needs --url, and begins at the first row; leave out --from.");
        }
        return Optional.of(new LogFollower(tlog, remote::get, Instant.now()));
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

    private Document manifest(@Nullable ServiceClient remote) throws IOException, InterruptedException {
        String source = remote == null ? String.valueOf(keys) : "signing-keys";
        if (remote == null && keys == null) {
            throw new CannotVerify("The keys are missing; give them by --keys.");
        }
        byte[] json = remote == null ? TrustOptions.bytes(Path.of(source)) : remote.get("/api/agent/v1/signing-keys");
        return Page.document(json, source, 0);
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
        return ", " + done.count(RecomputationResult.RECOMPUTED) + " verdicts recomputed (not decided again: "
                + done.count(RecomputationResult.UNREADABLE) + " unreadable, "
                + done.count(RecomputationResult.TURNED_DOWN)
                + " turned down by the user, " + done.count(RecomputationResult.ERASED) + " erased)";
    }
}
