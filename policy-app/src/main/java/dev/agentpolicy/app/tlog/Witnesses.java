package dev.agentpolicy.app.tlog;

import dev.agentpolicy.adapter.signing.TinkSignatureCheck;
import dev.agentpolicy.app.config.CannotStart;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.signing.SignatureCheck;
import dev.agentpolicy.domain.event.tlog.Checkpoint;
import dev.agentpolicy.domain.event.tlog.LogPolicy;
import dev.agentpolicy.domain.event.tlog.LogPolicy.Party;
import dev.agentpolicy.domain.event.tlog.LogProof;
import dev.agentpolicy.domain.event.tlog.LogTree;
import dev.agentpolicy.domain.event.tlog.NoteSignature;
import dev.agentpolicy.domain.event.tlog.SignedNote;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import dev.agentpolicy.domain.event.tlog.WitnessRequest;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the witnesses of a policy cosign checkpoints (C2SP tlog-witness). One thread asks; all witnesses are asked at once, and
 * none is waited for longer than {@link #LIMIT}.
 *
 * <p>A witness that claims to have cosigned more than the log has, or refuses a proof, is not believed. It is asked for what it
 * has cosigned: only a checkpoint signed by the log's own key shows that this log has another history.
 */
public final class Witnesses implements AutoCloseable {
    /** Less than the lease of the sequencer has left. */
    static final Duration LIMIT = Duration.ofSeconds(3);

    private static final Logger LOG = LoggerFactory.getLogger(Witnesses.class);
    private static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(10);
    private static final Duration PAUSE_AFTER_LIE = Duration.ofMinutes(10);
    private static final int MAX_ANSWER_BYTES = 65_536;
    private static final int OK = 200;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;

    private final List<VerifierKey> known;
    private final List<Witness> asked = new ArrayList<>();
    private final InstantSource clock;
    private final SignatureCheck check = new TinkSignatureCheck();
    private final AtomicLong errors = new AtomicLong();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tlog-witness");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient http = HttpClient.newBuilder()
            .connectTimeout(LIMIT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    /** A witness, and what is known of it. Changed by the one task that asks it. */
    private static final class Witness {
        private final VerifierKey key;
        private final String url;
        /** The size that it cosigned last, as far as is known. */
        private volatile long size;

        private volatile Instant askAt = Instant.MIN;

        Witness(VerifierKey key, String url) {
            this.key = key;
            this.url = url;
        }
    }

    /** What came of asking one witness: at most one of both. */
    private record Answer(
            @Nullable NoteSignature cosignature, @Nullable String contradiction) {}

    /** A request that a witness did not fulfil. */
    private static final class Refused extends IOException {
        private static final long serialVersionUID = 1;

        Refused(String why) {
            super(why);
        }
    }

    /**
     * What came of asking all.
     *
     * @param note with the cosignatures that are new
     * @param contradiction what of the log's own signed history the tree does not begin with
     */
    public record Outcome(SignedNote note, Optional<String> contradiction) {}

    /**
     * The log as it is now.
     *
     * @param key of the log
     * @param size of the tree, at least that of the checkpoint
     * @param trees the tree of the first entries, as many as are asked for
     */
    public record Own(VerifierKey key, long size, LongFunction<LogTree> trees) {}

    /** @throws CannotStart when a witness has an address that is none */
    public Witnesses(LogPolicy policy, InstantSource clock) {
        this.known = policy.witnessKeys();
        this.clock = clock;
        for (Party party : policy.witnesses().values()) {
            String url = party.url();
            if (!party.key().isVerifiable()) {
                LOG.warn(
                        "The key of the witness {} has an unknown type; it counts as never cosigning",
                        party.key().name());
            } else if (url == null) {
                LOG.warn(
                        "The policy says no address of the witness {}; it is not asked",
                        party.key().name());
            } else if (!url.matches("https?://[^/?#]+[^?#]*")) {
                throw new CannotStart("The address of the witness "
                        + party.key().name() + " must begin with https://" + " or http://, and have no ? or #.");
            } else {
                asked.add(new Witness(party.key(), url.replaceAll("/+$", "")));
            }
        }
    }

    /** How often a witness did not cosign what it was asked to. */
    public long errors() {
        return errors.get();
    }

    /**
     * The witnesses of the policy that have not cosigned a note, by the text of their key, each since when.
     *
     * @param before those that had not cosigned the note before
     */
    Map<String, Instant> uncosigned(SignedNote note, Map<String, Instant> before) {
        Instant now = Instants.truncated(clock.instant());
        Set<VerifierKey> cosigned = note.verify(known, check).<Set<VerifierKey>>fold(Map::keySet, forged -> Set.of());
        return known.stream()
                .filter(key -> !cosigned.contains(key))
                .map(VerifierKey::text)
                .collect(Collectors.toMap(key -> key, key -> before.getOrDefault(key, now)));
    }

    /** Whether a witness is to be asked now that has not cosigned a note. */
    boolean isOpen(SignedNote note) {
        return asked.stream().anyMatch(witness -> isOpen(witness, note));
    }

    private boolean isOpen(Witness witness, SignedNote note) {
        return !witness.askAt.isAfter(clock.instant()) && !isCosigned(witness, note);
    }

    private boolean isCosigned(Witness witness, SignedNote note) {
        return note.verify(List.of(witness.key), check).fold(signed -> !signed.isEmpty(), forged -> false);
    }

    /** Asks the witnesses that have not cosigned a checkpoint, and waits for them. */
    public Outcome ask(SignedNote note, Own own) {
        List<Witness> open = asked.stream().filter(it -> isOpen(it, note)).toList();
        List<Callable<Answer>> tasks = open.stream()
                .<Callable<Answer>>map(witness -> () -> attempt(witness, note, own))
                .toList();
        SignedNote cosigned = note;
        Optional<String> contradiction = Optional.empty();
        for (Answer answer : all(tasks)) {
            cosigned = answer.cosignature() == null ? cosigned : cosigned.with(answer.cosignature());
            contradiction = contradiction.or(() -> Optional.ofNullable(answer.contradiction()));
        }
        return new Outcome(cosigned, contradiction);
    }

    /** The answers that came in time. */
    private Collection<Answer> all(List<Callable<Answer>> tasks) {
        List<Answer> answers = new ArrayList<>();
        try {
            for (Future<Answer> task : threads.invokeAll(tasks, LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                if (!task.isCancelled()) {
                    answers.add(task.get());
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException bug) {
            throw new IllegalStateException("A witness could not be asked.", bug);
        }
        return answers;
    }

    private Answer attempt(Witness witness, SignedNote note, Own own) {
        witness.askAt = clock.instant().plus(PAUSE_AFTER_FAILURE);
        try {
            Answer answer = ask(witness, note, own);
            if (answer.cosignature() != null) {
                witness.askAt = Instant.MIN;
                return answer;
            }
            if (answer.contradiction() != null) {
                return answer;
            }
            witness.askAt = clock.instant().plus(PAUSE_AFTER_LIE);
            LOG.warn(
                    "The witness {} contradicts this log and shows nothing signed by it; it is left out for {} minutes",
                    witness.key.name(),
                    PAUSE_AFTER_LIE.toMinutes());
        } catch (IOException failed) {
            LOG.warn("The witness {} did not cosign: {}", witness.key.name(), failed.toString());
        } catch (InterruptedException late) {
            LOG.warn("The witness {} did not answer within {} s", witness.key.name(), LIMIT.toSeconds());
            Thread.currentThread().interrupt();
        }
        errors.incrementAndGet();
        return new Answer(null, null);
    }

    private Answer ask(Witness witness, SignedNote note, Own own) throws IOException, InterruptedException {
        long size = Checkpoint.read(note.text()).orElseThrow().size();
        HttpResponse<InputStream> response = submit(witness, Math.min(witness.size, size), note, size, own);
        String body = body(response);
        if (response.statusCode() == CONFLICT) {
            witness.size = body.matches("(0|[1-9][0-9]{0,17})\n") ? Long.parseLong(body.strip()) : -1;
            if (witness.size < 0) {
                witness.size = 0;
                throw new Refused("it answered 409 without a size");
            }
            if (witness.size > size) {
                return shown(witness, own);
            }
            response = submit(witness, witness.size, note, size, own);
            body = body(response);
        }
        if (response.statusCode() == UNPROCESSABLE) {
            return shown(witness, own);
        }
        if (response.statusCode() != OK) {
            throw new Refused("it answered " + response.statusCode());
        }
        SignedNote answered = SignedNote.read(note.text() + "\n" + body)
                .fold(read -> read, problems -> new SignedNote(note.text(), List.of()));
        for (NoteSignature line : answered.signatures()) {
            if (isCosigned(witness, new SignedNote(note.text(), List.of(line)))) {
                witness.size = size;
                return new Answer(line, null);
            }
        }
        throw new Refused("its answer has no cosignature by its key");
    }

    private HttpResponse<InputStream> submit(Witness witness, long old, SignedNote note, long size, Own own)
            throws IOException, InterruptedException {
        SignedNote byLog = new SignedNote(note.text(), note.signatures().subList(0, 1));
        List<String> proof = LogProof.texts(own.trees().apply(size).consistency(old));
        String body = new WitnessRequest(old, proof, byLog).body();
        return http.send(
                HttpRequest.newBuilder(URI.create(witness.url + "/add-checkpoint"))
                        .timeout(LIMIT)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofInputStream());
    }

    private static String body(HttpResponse<InputStream> response) throws IOException {
        try (InputStream in = response.body()) {
            return new String(in.readNBytes(MAX_ANSWER_BYTES), StandardCharsets.UTF_8);
        }
    }

    /** Looks at what a witness has cosigned, which alone can prove what it claims. */
    private Answer shown(Witness witness, Own own) throws IOException, InterruptedException {
        String path = "/" + Sha256.hex(own.key().name()) + "/checkpoint";
        HttpResponse<InputStream> response = http.send(
                HttpRequest.newBuilder(URI.create(witness.url + path))
                        .timeout(LIMIT)
                        .build(),
                BodyHandlers.ofInputStream());
        Optional<Checkpoint> signed = SignedNote.read(body(response))
                .fold(Optional::of, problems -> Optional.<SignedNote>empty())
                .filter(note -> note.verify(List.of(own.key()), check).fold(by -> !by.isEmpty(), forged -> false))
                .flatMap(note -> Checkpoint.read(note.text()).fold(Optional::of, problems -> Optional.empty()))
                .filter(it -> it.origin().equals(own.key().name()));
        boolean isOther = signed.isPresent()
                && (signed.get().size() > own.size()
                        || !Checkpoint.of(
                                        own.key().name(),
                                        own.trees().apply(signed.get().size()))
                                .equals(signed.get()));
        return new Answer(
                null,
                isOther
                        ? "the witness " + witness.key.name() + " shows a checkpoint of "
                                + signed.get().size()
                                + " entries that is signed by this log, and that the database with its " + own.size()
                                + " entries does not begin with; it was probably put back to an older state."
                        : null);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
