package dev.agentpolicy.domain.event.signing;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.canonical.WireFields;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyAttestation;
import dev.agentpolicy.domain.event.signing.SigningKey.KeyStatus;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.event.signing.SigningKey.RevocationReason;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Signing keys as JSON: a JSON Web Key (RFC 8037) with its state and attestations. */
final class SigningKeyJson {
    private static final int MAX_ATTESTATIONS = 16;

    private SigningKeyJson() {}

    static Map<String, @Nullable Object> tree(SigningKey key) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("kty", "OKP");
        tree.put("crv", "Ed25519");
        tree.put("x", key.x());
        tree.put("kid", key.kid());
        tree.put("use", "sig");
        tree.put("alg", "Ed25519");
        tree.put("key_ops", List.of("verify"));
        tree.put("purpose", key.purpose().wireName());
        tree.put("status", key.status().wireName());
        tree.put("validFrom", Instants.format(key.validFrom()));
        tree.put("validUntil", text(key.validUntil()));
        tree.put("revokedAt", text(key.revokedAt()));
        RevocationReason reason = key.revocationReason();
        tree.put("revocationReason", reason == null ? null : reason.wireName());
        tree.put("compromisedSince", text(key.compromisedSince()));
        tree.put(
                "attestations",
                key.attestations().stream().map(SigningKeyJson::tree).toList());
        return tree;
    }

    /** Reads a key of a manifest. A key whose id is not its thumbprint is a problem. */
    static @Nullable SigningKey read(Fields fields) {
        fixed(fields, "kty", "OKP");
        fixed(fields, "crv", "Ed25519");
        fixed(fields, "alg", "Ed25519");
        fixed(fields, "use", "sig");
        fields.texts("key_ops", 1, "must be verify", text -> text.equals("verify") ? text : null);
        String x = WireFields.keyId(fields, "x");
        String kid = WireFields.keyId(fields, "kid");
        Purpose purpose = fields.word("purpose", Purpose.class);
        KeyStatus status = fields.word("status", KeyStatus.class);
        RevocationReason reason = fields.word("revocationReason", RevocationReason.class);
        Instant validFrom = WireFields.instant(fields, "validFrom");
        Instant validUntil = WireFields.instant(fields, "validUntil");
        Instant revokedAt = WireFields.instant(fields, "revokedAt");
        Instant compromisedSince = WireFields.instant(fields, "compromisedSince");
        List<KeyAttestation> attestations =
                fields.objects("attestations", MAX_ATTESTATIONS, SigningKeyJson::attestation);
        fields.require("kty", "crv", "x", "kid", "purpose", "status", "validFrom");
        if (!fields.isRight()) {
            return null;
        }
        try {
            return new SigningKey(
                    Fields.present(kid),
                    Fields.present(x),
                    Fields.present(purpose),
                    Fields.present(status),
                    Fields.present(validFrom),
                    validUntil,
                    revokedAt,
                    reason,
                    compromisedSince,
                    attestations);
        } catch (IllegalArgumentException refused) {
            fields.problem("kid", "is not that of a sound key: " + WireFields.clause(refused));
            return null;
        }
    }

    private static void fixed(Fields fields, String name, String only) {
        fields.meaning(name, "must be " + only, text -> text.equals(only) ? text : null);
    }

    private static @Nullable KeyAttestation attestation(Fields fields) {
        String byKeyId = WireFields.keyId(fields, "byKeyId");
        String signature = WireFields.signature(fields, "signature");
        fields.require("byKeyId", "signature");
        return byKeyId == null || signature == null ? null : new KeyAttestation(byKeyId, signature);
    }

    private static Map<String, @Nullable Object> tree(KeyAttestation attestation) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("byKeyId", attestation.byKeyId());
        tree.put("signature", attestation.signature());
        return tree;
    }

    private static @Nullable String text(@Nullable Instant instant) {
        return instant == null ? null : Instants.format(instant);
    }
}
