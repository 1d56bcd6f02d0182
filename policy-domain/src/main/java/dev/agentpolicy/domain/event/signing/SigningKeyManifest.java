package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All signing keys of a service, past and present, as it publishes them (docs/reference/events.md, Keys).
 *
 * <p>Version and time are derived from the keys alone, so every node serves the same bytes.
 *
 * @param issuer the owner of the keys
 * @param version the number of changes of all keys so far; it only grows
 * @param updatedAt when the last change with a known time was made
 * @param keys oldest first
 * @param signature by the anchor key or a root key; null before the manifest is signed
 */
public record SigningKeyManifest(
        String issuer,
        long version,
        Instant updatedAt,
        List<SigningKey> keys,
        SigningKey.@Nullable KeyAttestation signature) {

    private static final int MAX_KEYS = 10_000;
    private static final Map<String, String> SCHEME = scheme();

    public SigningKeyManifest {
        keys = List.copyOf(keys);
    }

    /** The manifest of some keys, not yet signed. */
    public static SigningKeyManifest of(String issuer, Collection<SigningKey> keys) {
        List<SigningKey> oldestFirst = keys.stream()
                .sorted(Comparator.comparing(SigningKey::validFrom).thenComparing(SigningKey::kid))
                .toList();
        long version = keys.stream().mapToLong(SigningKeyManifest::steps).sum();
        Instant updatedAt = keys.stream()
                .flatMap(SigningKeyManifest::moments)
                .max(Comparator.naturalOrder())
                .orElse(Instant.EPOCH);
        return new SigningKeyManifest(issuer, version, updatedAt, oldestFirst, null);
    }

    /** This manifest, signed by the anchor key. */
    public SigningKeyManifest signed(String keyId, UnaryOperator<String> sign) {
        SigningKey.KeyAttestation attestation = new SigningKey.KeyAttestation(keyId, sign.apply(message()));
        return new SigningKeyManifest(issuer, version, updatedAt, keys, attestation);
    }

    /** Whether it is signed by one of its keys that may sign manifests. */
    public boolean isSigned(SignatureCheck check) {
        SigningKey.KeyAttestation signed = signature;
        return signed != null
                && keys.stream()
                        .filter(key -> key.kid().equals(signed.byKeyId()))
                        .filter(key -> key.purpose() == Purpose.ANCHOR || key.purpose() == Purpose.ROOT)
                        .filter(key -> key.status() != KeyStatus.REVOKED)
                        .anyMatch(key -> check.isSignedBy(key.x(), message(), signed.signature()));
    }

    /** The message that is signed: everything but the signature. */
    public String message() {
        Map<String, @Nullable Object> unsigned = tree();
        unsigned.remove("signature");
        return "agent-policy/manifest/v1\n" + CanonicalForm.write(unsigned);
    }

    /** Its JSON as nested maps, members in the order of the documentation. */
    public Map<String, @Nullable Object> tree() {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("issuer", issuer);
        tree.put("manifestVersion", version);
        tree.put("updatedAt", Instants.format(updatedAt));
        tree.put("scheme", SCHEME);
        tree.put("keys", keys.stream().map(SigningKeyJson::tree).toList());
        if (signature != null) {
            Map<String, @Nullable Object> signed = new LinkedHashMap<>();
            signed.put("keyId", signature.byKeyId());
            signed.put("value", signature.signature());
            tree.put("signature", signed);
        }
        return tree;
    }

    /** Reads a manifest. A key whose id is not its thumbprint is a problem. */
    public static Reading<SigningKeyManifest> read(Document document) {
        Fields fields = new Fields(document, Decimals.NUMBERS);
        String issuer = fields.plainText("issuer", 1, 256);
        Integer version = fields.integer("manifestVersion", 0, Integer.MAX_VALUE);
        Instant updatedAt = WireFields.instant(fields, "updatedAt");
        fields.object("scheme", scheme -> {
            SCHEME.forEach(
                    (name, only) -> scheme.meaning(name, "must be " + only, text -> text.equals(only) ? text : null));
            scheme.require("event", "canonicalization", "hash", "signature");
            return null;
        });
        List<SigningKey> keys = fields.objects("keys", MAX_KEYS, SigningKeyJson::read);
        SigningKey.KeyAttestation signature = fields.object("signature", SigningKeyManifest::signature);
        fields.require("issuer", "manifestVersion", "updatedAt", "scheme", "keys");
        if (keys.stream().map(SigningKey::kid).distinct().count() < keys.size()) {
            fields.problem("keys", "must not list a key twice");
        }
        return fields.finish(() -> new SigningKeyManifest(
                Fields.present(issuer), Fields.present(version), Fields.present(updatedAt), keys, signature));
    }

    private static SigningKey.@Nullable KeyAttestation signature(Fields fields) {
        String keyId = WireFields.keyId(fields, "keyId");
        String value = WireFields.signature(fields, "value");
        fields.require("keyId", "value");
        return keyId == null || value == null ? null : new SigningKey.KeyAttestation(keyId, value);
    }

    private static Map<String, String> scheme() {
        Map<String, String> scheme = new LinkedHashMap<>();
        scheme.put("event", "agent-policy/event/v1");
        scheme.put("canonicalization", "RFC8785");
        scheme.put("hash", "SHA-256");
        scheme.put("signature", "Ed25519");
        return Collections.unmodifiableMap(scheme);
    }

    /** The number of changes of a key: its creation, each status after pending, each attestation. */
    @SuppressWarnings("EnumOrdinal") // The statuses are declared in the order in which a key passes them.
    private static long steps(SigningKey key) {
        return 1L + key.status().ordinal() + key.attestations().size();
    }

    private static Stream<Instant> moments(SigningKey key) {
        Instant validFrom = key.status() == KeyStatus.PENDING ? null : key.validFrom();
        Instant validUntil =
                key.status() == KeyStatus.PENDING || key.status() == KeyStatus.ACTIVE ? null : key.validUntil();
        return Stream.of(
                        Stream.ofNullable(validFrom), Stream.ofNullable(validUntil), Stream.ofNullable(key.revokedAt()))
                .flatMap(moments -> moments);
    }
}
