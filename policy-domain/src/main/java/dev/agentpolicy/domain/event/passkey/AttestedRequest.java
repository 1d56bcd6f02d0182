package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a user signs with a passkey to accept a request (docs/reference/passkeys.md).
 *
 * @param userId the user
 * @param serviceRequestId the request
 * @param trade the trade that is accepted
 * @param custodian the custodian that would execute it; null when none can
 * @param ipsVersion the version of the IPS in force; null when there is none
 * @param portfolioRevision of the quantities and cash
 * @param decisionHash the hash of the proposal's event
 * @param expiresAt until when it may be used
 * @param nonce 16 random bytes, base64url
 */
public record AttestedRequest(
        UserId userId,
        long serviceRequestId,
        Trade trade,
        @Nullable String custodian,
        @Nullable Integer ipsVersion,
        long portfolioRevision,
        String decisionHash,
        Instant expiresAt,
        String nonce) {
    /** How long a challenge may be used. */
    public static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** The number of random bytes. */
    public static final int NONCE_BYTES = 16;

    private static final String PREFIX = "agent-policy/attestation/v1\n";

    /** The challenge: SHA-256 of the canonical text, in base64url. */
    public String challenge() {
        return Base64Url.encode(Sha256.of(PREFIX + CanonicalForm.write(toSigned())));
    }

    /** The members that are hashed and that the event has. */
    public Map<String, @Nullable Object> toSigned() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("userId", userId.toString());
        members.put("serviceRequestId", serviceRequestId);
        members.put("trade", TradePayload.toSigned(trade));
        members.put("custodian", custodian);
        members.put("ipsVersion", ipsVersion);
        members.put("portfolioRevision", portfolioRevision);
        members.put("decisionHash", decisionHash);
        members.put("expiresAt", Instants.format(expiresAt));
        members.put("nonce", nonce);
        return members;
    }

    /** Reads what {@link #toSigned} wrote, with no member more or less. */
    public static AttestedRequest readSigned(Stored stored) {
        AttestedRequest read = new AttestedRequest(
                new UserId(UUID.fromString(stored.text("userId"))),
                stored.integer("serviceRequestId"),
                TradePayload.readSigned(stored.object("trade").document()).orElseThrow(),
                stored.textOrNull("custodian"),
                stored.integerOrNull("ipsVersion"),
                stored.integer("portfolioRevision"),
                stored.text("decisionHash"),
                stored.instant("expiresAt"),
                stored.text("nonce"));
        stored.requireOnly(read.toSigned().keySet());
        return read;
    }
}
