package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The keys that may sign one kind of chain, and the root key that may attest them, if one is pinned. Verifiers get them
 * from a {@link TrustedManifest}.
 */
public final class SigningKeys {
    private final Map<String, SigningKey> signers;
    private final Map<String, SigningKey> listedRoots;
    private final @Nullable String rootKeyId;

    private SigningKeys(
            Map<String, SigningKey> signers, Map<String, SigningKey> listedRoots, @Nullable String rootKeyId) {
        this.signers = signers;
        this.listedRoots = listedRoots;
        this.rootKeyId = rootKeyId;
    }

    /** The keys for a purpose, which is {@code EVENT} or {@code SANDBOX}; no root key is trusted. */
    public static SigningKeys of(Collection<SigningKey> keys, Purpose purpose) {
        if (purpose != Purpose.EVENT && purpose != Purpose.SANDBOX) {
            throw new IllegalArgumentException("Chains are signed by keys of purpose event or sandbox only.");
        }
        return new SigningKeys(ofPurpose(keys, purpose), ofPurpose(keys, Purpose.ROOT), null);
    }

    /** These keys with a pinned root key. */
    public SigningKeys trustingRoot(String rootKeyId) {
        return new SigningKeys(signers, listedRoots, rootKeyId);
    }

    /** Whether a root key is pinned. */
    public boolean isTrustingRoot() {
        return rootKeyId != null;
    }

    public Optional<SigningKey> signer(@Nullable String kid) {
        return kid == null ? Optional.empty() : Optional.ofNullable(signers.get(kid));
    }

    public boolean isAttestedByRoot(SigningKey key, SignatureCheck check) {
        SigningKey root = rootKeyId == null ? null : listedRoots.get(rootKeyId);
        return root != null && isAttested(key, Map.of(root.kid(), root), check);
    }

    public boolean isAttestedBy(SigningKey key, String kid, SignatureCheck check) {
        SigningKey voucher = signers.get(kid);
        return voucher != null && !voucher.isCompromised() && isAttested(key, Map.of(kid, voucher), check);
    }

    private static boolean isAttested(SigningKey key, Map<String, SigningKey> vouchers, SignatureCheck check) {
        return key.attestations().stream().anyMatch(attestation -> {
            SigningKey voucher = vouchers.get(attestation.byKeyId());
            return voucher != null
                    && !voucher.isCompromised()
                    && check.isSignedBy(voucher.x(), key.attestationMessage(), attestation.signature());
        });
    }

    private static Map<String, SigningKey> ofPurpose(Collection<SigningKey> keys, Purpose purpose) {
        return keys.stream()
                .filter(key -> key.purpose() == purpose)
                .collect(Collectors.toUnmodifiableMap(SigningKey::kid, Function.identity()));
    }
}
