package dev.agentpolicy.domain.event.tlog;

import dev.agentpolicy.domain.document.Reading;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which logs are trusted, and which witnesses must have cosigned a checkpoint (C2SP tlog-policy).
 *
 * @param logs the accepted logs; may be empty where the log is known otherwise
 * @param witnesses all witnesses, by their names in the policy
 * @param groups all groups, by their names; each after its members
 * @param quorum the witness or group that must have cosigned, or {@link #NONE}
 */
public record LogPolicy(List<Party> logs, Map<String, Party> witnesses, Map<String, Group> groups, String quorum) {
    public static final String NONE = "none";

    private static final int MAX_LINES = 10_000;

    /**
     * A log or a witness.
     *
     * @param url where it answers; null if the policy does not say
     */
    public record Party(VerifierKey key, @Nullable String url) {}

    /**
     * Cosigns when enough of its members do.
     *
     * @param threshold how many must
     * @param members witnesses and groups
     */
    public record Group(int threshold, List<String> members) {
        public Group {
            members = List.copyOf(members);
        }
    }

    /**
     * How far a log is witnessed.
     *
     * @param known how many witnesses the policy has
     * @param missing those that do not cosign
     * @param noQuorumSince since when too few cosign for the quorum; null while it is met
     */
    public record Witnessing(
            int known,
            List<MissingWitness> missing,
            @Nullable Instant noQuorumSince) {
        public Witnessing {
            missing = List.copyOf(missing);
        }

        /** How many witnesses cosign. */
        public int cosigning() {
            return known - missing.size();
        }
    }

    /**
     * A witness that does not cosign.
     *
     * @param since when the first checkpoint was published that it left out
     */
    public record MissingWitness(VerifierKey key, Instant since) {}

    /** Reads a policy file. A problem names its line. */
    public static Reading<LogPolicy> read(byte[] file) {
        String text = new String(file, StandardCharsets.ISO_8859_1);
        PolicyLines read = new PolicyLines();
        String[] lines = text.split("\n", MAX_LINES);
        for (int i = 0; i < lines.length; i++) {
            String problem = lines[i].chars().anyMatch(c -> c < ' ' && c != '\t' || c == '\u007f')
                    ? "a control character is not allowed"
                    : read.take(lines[i]);
            if (problem != null) {
                return SignedNote.refused("Line " + (i + 1) + " of the policy: " + problem + ".");
            }
        }
        return read.finish();
    }

    /** The keys of the witnesses. */
    public List<VerifierKey> witnessKeys() {
        return witnesses.values().stream().map(Party::key).toList();
    }

    /** Whether the quorum has cosigned. */
    public boolean isMet(Collection<VerifierKey> cosigned) {
        return quorum.equals(NONE) || isMet(quorum, cosigned);
    }

    /**
     * How far the log is witnessed by those of this policy.
     *
     * @param uncosigned the keys that have not cosigned the published checkpoint, in their text form, each since when
     * @param before a witness that is missing since later may still answer, and counts as there
     */
    public Witnessing witnessing(Map<String, Instant> uncosigned, Instant before) {
        List<MissingWitness> missing = new ArrayList<>();
        Set<VerifierKey> cosigning = new HashSet<>();
        for (VerifierKey key : witnessKeys()) {
            Instant since = uncosigned.get(key.text());
            if (since == null || since.isAfter(before)) {
                cosigning.add(key);
            } else {
                missing.add(new MissingWitness(key, since));
            }
        }
        Instant noQuorumSince = null;
        missing.sort(Comparator.comparing(MissingWitness::since).reversed());
        for (MissingWitness lost : missing) {
            noQuorumSince = isMet(cosigning) ? noQuorumSince : lost.since;
            cosigning.add(lost.key);
        }
        return new Witnessing(witnesses.size(), missing, noQuorumSince);
    }

    private boolean isMet(String name, Collection<VerifierKey> cosigned) {
        Party witness = witnesses.get(name);
        if (witness != null) {
            return cosigned.contains(witness.key());
        }
        Group group = groups.get(name);
        return group != null
                && group.members().stream()
                                .filter(member -> isMet(member, cosigned))
                                .count()
                        >= group.threshold();
    }

    /** Collects lines. Names are opaque bytes; keys are UTF-8. */
    private static final class PolicyLines {
        private final List<Party> logs = new ArrayList<>();
        private final Map<String, Party> witnesses = new LinkedHashMap<>();
        private final Map<String, Group> groups = new LinkedHashMap<>();
        private final Set<String> logKeys = new HashSet<>();
        private final Set<String> witnessKeys = new HashSet<>();
        private final Set<String> used = new HashSet<>();
        private @Nullable String quorum;

        /** Takes a line and says what is wrong with it, null if nothing. */
        @Nullable
        String take(String line) {
            List<String> words = Arrays.stream(line.split("[ \t]+"))
                    .filter(word -> !word.isEmpty())
                    .toList();
            if (words.isEmpty() || words.get(0).startsWith("#")) {
                return null;
            }
            int count = words.size();
            return switch (words.get(0)) {
                case "log" -> count == 2 || count == 3 ? log(words) : "a log is: log KEY [URL]";
                case "witness" -> count == 3 || count == 4 ? witness(words) : "a witness is: witness NAME KEY [URL]";
                case "group" -> count > 3 ? group(words) : "a group is: group NAME all, any or NUMBER, NAME...";
                case "quorum" -> count == 2 ? quorum(words.get(1)) : "a quorum is: quorum NAME";
                default -> "it begins with none of log, witness, group and quorum";
            };
        }

        private @Nullable String log(List<String> words) {
            Reading<VerifierKey> key = key(words.get(1));
            if (!key.isRead()) {
                return problem(key);
            }
            logs.add(new Party(key.orElseThrow(), words.size() > 2 ? utf8(words.get(2)) : null));
            return logKeys.add(key.orElseThrow().key()) ? null : "this key is another log's too";
        }

        private @Nullable String witness(List<String> words) {
            Reading<VerifierKey> key = key(words.get(2));
            if (!key.isRead()) {
                return problem(key);
            }
            if (key.orElseThrow().type() == VerifierKey.ED25519) {
                return "this is the key of a log, not of a witness";
            }
            String name = words.get(1);
            if (isTaken(name)) {
                return "its name is taken";
            }
            witnesses.put(name, new Party(key.orElseThrow(), words.size() > 3 ? utf8(words.get(3)) : null));
            return witnessKeys.add(key.orElseThrow().key()) ? null : "this key is another witness's too";
        }

        private @Nullable String group(List<String> words) {
            String name = words.get(1);
            List<String> members = words.subList(3, words.size());
            if (isTaken(name)) {
                return "its name is taken";
            }
            for (String member : members) {
                if (!isDefined(member)) {
                    return "the member " + utf8(member) + " is not defined before";
                }
                if (!used.add(member)) {
                    return "the member " + utf8(member) + " is in a group already";
                }
            }
            int threshold = "all".equals(words.get(2))
                    ? members.size()
                    : "any".equals(words.get(2))
                            ? 1
                            : Math.toIntExact(Math.min(Checkpoint.number(words.get(2)), Integer.MAX_VALUE));
            if (threshold < 1 || threshold > members.size()) {
                return "a group needs all, any or a number from 1 to that of its members";
            }
            groups.put(name, new Group(threshold, members));
            return null;
        }

        private @Nullable String quorum(String name) {
            if (quorum != null) {
                return "there is a quorum already";
            }
            quorum = name;
            return name.equals(NONE) || isDefined(name) ? null : "the quorum is not defined before";
        }

        private boolean isTaken(String name) {
            return name.equals(NONE) || isDefined(name);
        }

        private boolean isDefined(String name) {
            return witnesses.containsKey(name) || groups.containsKey(name);
        }

        private static Reading<VerifierKey> key(String word) {
            return VerifierKey.read(utf8(word));
        }

        private static String utf8(String word) {
            return new String(word.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        }

        private static String problem(Reading<VerifierKey> key) {
            String sentence = key.problems().get(0).message();
            return sentence.substring(0, sentence.length() - 1);
        }

        Reading<LogPolicy> finish() {
            return Optional.ofNullable(quorum)
                    .map(named -> Reading.of(new LogPolicy(logs, witnesses, groups, named)))
                    .orElseGet(() -> SignedNote.refused("The policy has no quorum line."));
        }
    }
}
