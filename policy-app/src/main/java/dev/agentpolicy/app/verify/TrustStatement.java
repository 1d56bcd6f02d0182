package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.event.signing.KnownKeys;
import dev.agentpolicy.domain.event.signing.TrustedManifest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Names the keys that a verdict relies on, and why each is trusted (docs/verify.md, Which keys are trusted). */
final class TrustStatement {
    private static final String PINNED = "pinned";
    private static final String SAVED = "saved";
    private static final String FIRST_USE = "trusted on first use";

    private final String eventKey;
    private final Map<String, List<String>> groups = new LinkedHashMap<>();
    private boolean isFirstKeyKnown;

    /**
     * The keys that are trusted before anything is read.
     *
     * @param purpose of the keys that sign the rows
     * @param given on the command line
     * @param saved by an earlier run
     */
    TrustStatement(String purpose, KnownKeys given, KnownKeys saved) {
        this.eventKey = purpose + " key";
        groups.put(PINNED, new ArrayList<>());
        groups.put(SAVED, new ArrayList<>());
        known(eventKey, given.firstKeyId(), saved.firstKeyId());
        known("anchor key", given.anchorKeyId(), saved.anchorKeyId());
        known("root key", given.rootKeyId(), saved.rootKeyId());
        this.isFirstKeyKnown = given.firstKeyId() != null || saved.firstKeyId() != null;
    }

    /** Takes note of the key that signed the manifest. */
    void manifest(TrustedManifest manifest) {
        if (manifest.attestedBy() != null) {
            add("attested by " + manifest.attestedBy(), "anchor key", manifest.signedBy());
        } else if (manifest.isFirstUse()) {
            add(FIRST_USE, "anchor key", manifest.signedBy());
        }
    }

    /** Takes note of the key that signed the first row, once that row was verified. */
    void firstKey(@Nullable String keyId) {
        if (keyId != null && !isFirstKeyKnown) {
            add(FIRST_USE, eventKey, keyId);
            isFirstKeyKnown = true;
        }
    }

    /** As it stands at the end of the line. */
    @Override
    public String toString() {
        String named = groups.entrySet().stream()
                .filter(group -> !group.getValue().isEmpty())
                .map(group -> group.getKey() + ": " + String.join(", ", group.getValue()))
                .collect(Collectors.joining("; "));
        return named.isEmpty() ? "no key known" : named;
    }

    private void known(String role, @Nullable String given, @Nullable String saved) {
        if (given != null) {
            add(PINNED, role, given);
        } else if (saved != null) {
            add(SAVED, role, saved);
        }
    }

    private void add(String group, String role, String keyId) {
        groups.computeIfAbsent(group, name -> new ArrayList<>()).add(role + " " + keyId);
    }
}
