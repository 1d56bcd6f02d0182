package dev.agentpolicy.domain.event.passkey;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads the stored passkeys of a user. */
public final class OwnerPasskeysDocument {

    private OwnerPasskeysDocument() {}

    public static Map<String, @Nullable Object> toStored(OwnerPasskeys passkeys) {
        Usd above = passkeys.above();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("above", above == null ? null : Decimals.text(above.value()));
        members.put(
                "passkeys",
                passkeys.all().stream().map(OwnerPasskeysDocument::toStored).toList());
        return members;
    }

    /** Reads what {@link #toStored} wrote. */
    public static OwnerPasskeys readStored(Stored stored) {
        BigDecimal above = stored.decimalOrNull("above");
        return new OwnerPasskeys(
                stored.objects("passkeys", OwnerPasskeysDocument::readPasskey), above == null ? null : new Usd(above));
    }

    private static Map<String, @Nullable Object> toStored(Passkey passkey) {
        Instant lastUsedAt = passkey.lastUsedAt();
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("credentialId", passkey.credentialId());
        members.put("name", passkey.name());
        members.put("publicKey", passkey.key().toJwk());
        members.put("rpId", passkey.rpId());
        members.put("transports", passkey.transports());
        members.put("signCount", passkey.signCount());
        members.put("createdAt", Instants.format(passkey.createdAt()));
        members.put("lastUsedAt", lastUsedAt == null ? null : Instants.format(lastUsedAt));
        return members;
    }

    private static Passkey readPasskey(Stored stored) {
        return new Passkey(
                stored.text("credentialId"),
                stored.text("name"),
                PasskeyKey.read(stored.object("publicKey").document()),
                stored.text("rpId"),
                stored.document().get("transports") instanceof List<?> list
                        ? list.stream().map(String.class::cast).toList()
                        : List.of(),
                stored.integer("signCount"),
                stored.instant("createdAt"),
                stored.instantOrNull("lastUsedAt"));
    }
}
