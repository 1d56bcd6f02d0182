package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyAttestation;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A manifest whose signature was checked against the pinned keys of a verifier (docs/verify.md, Which keys are
 * trusted). A verifier must take the purpose and the status of a key from here only.
 *
 * @param manifest the signed manifest
 * @param known the pinned keys
 * @param signedBy the key that signed the manifest
 * @param attestedBy the pinned key that attests the signer; null when the signer is pinned itself or trusted on first
 *     use
 */
public record TrustedManifest(
        SigningKeyManifest manifest,
        KnownKeys known,
        String signedBy,
        @Nullable String attestedBy) {

    /** Checks a manifest. A problem says why it must not be trusted. */
    public static Reading<TrustedManifest> of(SigningKeyManifest manifest, KnownKeys known, SignatureCheck check) {
        KeyAttestation signature = manifest.signature();
        if (signature == null) {
            return refused("The manifest is not signed.");
        }
        if (!manifest.isSigned(check)) {
            return refused("The manifest is not signed by its anchor or root key.");
        }
        String signedBy = signature.byKeyId();
        if (signedBy.equals(known.anchorKeyId()) || signedBy.equals(known.rootKeyId())) {
            return Reading.of(new TrustedManifest(manifest, known, signedBy, null));
        }
        Map<String, SigningKey> keys =
                manifest.keys().stream().collect(Collectors.toMap(SigningKey::kid, Function.identity()));
        SigningKey signer = keys.get(signedBy);
        String voucher =
                signer == null ? null : voucher(signer, keys, known, check).orElse(null);
        boolean isFirstUse = known.anchorKeyId() == null && signer != null && signer.purpose() == Purpose.ANCHOR;
        return voucher != null || isFirstUse
                ? Reading.of(new TrustedManifest(manifest, known, signedBy, voucher))
                : refused("The manifest is signed by another key than the anchor key that is known.");
    }

    /** Whether the signer is trusted only because it is the first one seen. */
    public boolean isFirstUse() {
        return attestedBy == null && !signedBy.equals(known.anchorKeyId()) && !signedBy.equals(known.rootKeyId());
    }

    /** The keys that may sign one kind of chain. Only a pinned root key may attest them. */
    public SigningKeys keys(Purpose purpose) {
        SigningKeys keys = SigningKeys.of(manifest.keys(), purpose);
        return known.rootKeyId() == null ? keys : keys.trustingRoot(known.rootKeyId());
    }

    /** The pinned anchor or root key that attests an anchor key, directly or through other anchor keys. */
    private static Optional<String> voucher(
            SigningKey signer, Map<String, SigningKey> keys, KnownKeys known, SignatureCheck check) {
        Map<String, String> vouched = new HashMap<>();
        if (known.anchorKeyId() != null) {
            vouched.put(known.anchorKeyId(), known.anchorKeyId());
        }
        if (known.rootKeyId() != null) {
            vouched.put(known.rootKeyId(), known.rootKeyId());
        }
        for (int before = 0; before < vouched.size(); ) {
            before = vouched.size();
            for (SigningKey key : keys.values()) {
                if (key.purpose() == Purpose.ANCHOR && !vouched.containsKey(key.kid())) {
                    key.attestations().stream()
                            .filter(attestation -> vouched.containsKey(attestation.byKeyId()))
                            .filter(attestation -> mayVouch(keys.get(attestation.byKeyId()), key, attestation, check))
                            .findFirst()
                            .ifPresent(it -> vouched.put(key.kid(), vouched.get(it.byKeyId())));
                }
            }
        }
        return Optional.ofNullable(vouched.get(signer.kid()));
    }

    private static boolean mayVouch(
            @Nullable SigningKey voucher, SigningKey key, KeyAttestation attestation, SignatureCheck check) {
        return voucher != null
                && (voucher.purpose() == Purpose.ANCHOR || voucher.purpose() == Purpose.ROOT)
                && voucher.status() != KeyStatus.REVOKED
                && check.isSignedBy(voucher.x(), key.attestationMessage(), attestation.signature());
    }

    private static Reading<TrustedManifest> refused(String why) {
        return Reading.wrong(List.of(new Problem("signature", why)));
    }
}
