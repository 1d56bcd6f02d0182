package dev.agentpolicy.domain.event.signing;

import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
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
import java.util.regex.Pattern;
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
 * @param published the canonical text that is signed, of a manifest that was read with keys of purposes that are not known
 *     here; null if the keys are all of them
 */
public record SigningKeyManifest(
        String issuer,
        long version,
        Instant updatedAt,
        List<SigningKey> keys,
        SigningKey.@Nullable KeyAttestation signature,
        @Nullable String published) {

    /** What a later version may call a purpose. */
    private static final Pattern PURPOSE = Pattern.compile("[a-z][a-z0-9_-]{0,31}");

    private static final Map<String, String> SCHEME = scheme();

    private static final Schema<SigningKeyManifest> MEMBERS = Schema.of(
            row -> {
                String issuer = row.next();
                long version = row.next();
                Instant updatedAt = row.next();
                row.next();
                return new SigningKeyManifest(issuer, version, updatedAt, row.next(), row.next(), null);
            },
            required("issuer", WireFields.TEXT, SigningKeyManifest::issuer),
            required("manifestVersion", WireFields.seq(0), SigningKeyManifest::version),
            required("updatedAt", WireFields.INSTANT, SigningKeyManifest::updatedAt),
            required("scheme", new Codec<>(SigningKeyManifest::readScheme, scheme -> scheme), manifest -> SCHEME),
            required(
                    "keys",
                    new Codec<>(
                            SigningKeyManifest::readKeys,
                            keys -> keys.stream().map(SigningKey::tree).toList()),
                    SigningKeyManifest::keys),
            optional(
                    "signature",
                    Codec.object(SigningKey.KeyAttestation.members("keyId", "value")),
                    SigningKeyManifest::signature));

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
        return new SigningKeyManifest(issuer, version, updatedAt, oldestFirst, null, null);
    }

    /** This manifest, signed by the anchor key. */
    public SigningKeyManifest signed(String keyId, UnaryOperator<String> sign) {
        SigningKey.KeyAttestation attestation = new SigningKey.KeyAttestation(keyId, sign.apply(message()));
        return new SigningKeyManifest(issuer, version, updatedAt, keys, attestation, published);
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

    /** The message that is signed: everything but the signature. It grows with every rotation, without a limit. */
    public String message() {
        return "agent-policy/manifest/v1\n" + (published == null ? unsigned(tree()) : published);
    }

    private static String unsigned(Map<String, @Nullable Object> members) {
        Map<String, @Nullable Object> unsigned = new LinkedHashMap<>(members);
        unsigned.remove("signature");
        return CanonicalForm.writeStored(unsigned);
    }

    /** Its JSON as nested maps, members in the order of the documentation. */
    public Map<String, @Nullable Object> tree() {
        return MEMBERS.write(this);
    }

    /**
     * Reads a manifest. A key whose id is not its thumbprint is a problem, and so is a member more or less than is written.
     * Keys of purposes that only a later version knows are left out.
     */
    public static Reading<SigningKeyManifest> read(Document document) {
        Document known = ofNow(document);
        return MEMBERS.read(known, Decimals.NUMBERS).then(read -> {
            String written = CanonicalForm.writeStored(read.tree());
            if (!written.equals(CanonicalForm.writeStored(known.members()))) {
                return Reading.wrong(List.of(new Problem("keys", "A key lacks a member.")));
            }
            try {
                boolean whole = known.members().equals(document.members());
                String published = whole ? null : unsigned(document.members());
                return Reading.of(new SigningKeyManifest(
                        read.issuer, read.version, read.updatedAt, read.keys, read.signature, published));
            } catch (IllegalArgumentException refused) {
                return Reading.wrong(List.of(new Problem("keys", "A key has no canonical form.")));
            }
        });
    }

    /** The document without the keys of unknown purposes; the same one if there are none. */
    private static Document ofNow(Document document) {
        if (!(document.get("keys") instanceof List<?> all)) {
            return document;
        }
        List<?> known = all.stream()
                .filter(key -> !(key instanceof Document members
                        && members.get("purpose") instanceof String purpose
                        && PURPOSE.matcher(purpose).matches()
                        && Purpose.named(purpose).isEmpty()))
                .toList();
        if (known.size() == all.size()) {
            return document;
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>(document.members());
        members.put("keys", known);
        return new Document(members, document.repeated());
    }

    private static @Nullable Map<String, String> readScheme(Fields fields, String name) {
        return fields.object(name, scheme -> {
            SCHEME.forEach((member, only) -> WireFields.only(only).reader().read(scheme, member));
            scheme.require("event", "canonicalization", "hash", "signature");
            return SCHEME;
        });
    }

    private static @Nullable List<SigningKey> readKeys(Fields fields, String name) {
        List<SigningKey> keys = fields.objects(name, Integer.MAX_VALUE, SigningKey::read);
        if (keys.stream().map(SigningKey::kid).distinct().count() < keys.size()) {
            fields.problem(name, "must not list a key twice");
        }
        return fields.has(name) ? keys : null;
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
