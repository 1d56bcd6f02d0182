package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.AssetResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A user's request for a new key (docs/reference/keys.md).
 *
 * @param name a name chosen by the user, 1 to 100 characters
 * @param type live or test
 * @param scopes at least one
 * @param policy the caps of the key
 * @param expiresInDays 1 to 3650; null for never
 * @param networks the addresses it may be used from; empty for any
 */
public record KeyRequest(
        String name,
        KeyType type,
        Set<Scope> scopes,
        KeyPolicy policy,
        @Nullable Integer expiresInDays,
        List<NetworkRange> networks) {
    public static final int MAX_NAME = 100;
    public static final int MAX_DAYS = 3650;

    public KeyRequest {
        scopes = Set.copyOf(scopes);
        networks = List.copyOf(networks);
    }

    /** A request for a key that works from anywhere. */
    public KeyRequest(String name, KeyType type, Set<Scope> scopes, KeyPolicy policy, @Nullable Integer expiresInDays) {
        this(name, type, scopes, policy, expiresInDays, List.of());
    }

    /** When the key ends that is minted now; null for never. */
    public @Nullable Instant expiresAt(Instant now) {
        return expiresInDays == null ? null : now.plus(Duration.ofDays(expiresInDays));
    }

    /** The same request with canonical symbols in its policy, or the problems with them. */
    public Reading<KeyRequest> canonical(AssetResolver resolver) {
        return policy.canonical(resolver, KeyPolicy.NO_CAPS)
                .fold(
                        spelled -> Reading.of(new KeyRequest(name, type, scopes, spelled, expiresInDays, networks)),
                        Reading::wrong);
    }

    /** Reads what a user sent, or lists everything that is wrong with it. */
    public static Reading<KeyRequest> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String name = fields.plainText("name", 1, MAX_NAME);
        KeyType type = fields.word("keyType", KeyType.class);
        List<Scope> scopes = fields.words("scopes", Scope.class);
        KeyPolicy policy = fields.object("policy", KeyPolicy.SCHEMA::read);
        List<NetworkRange> networks = networks(fields);
        Boolean isPaused = fields.truth("paused");
        Integer days = fields.integer("expiresInDays", 1, MAX_DAYS);
        fields.require("name", "keyType", "scopes");
        if (scopes.isEmpty() && fields.isRight()) {
            fields.problem("scopes", "must name at least one scope");
        }
        return fields.finish(() -> new KeyRequest(
                Fields.present(name),
                Fields.present(type),
                Set.copyOf(scopes),
                (policy == null ? KeyPolicy.NO_CAPS : policy).withPaused(isPaused != null && isPaused),
                days,
                networks));
    }

    static List<NetworkRange> networks(Fields fields) {
        return fields.texts("allowedCidrs", NetworkRange.MAX, NetworkRange.EXPECTED, NetworkRange::of).stream()
                .distinct()
                .toList();
    }
}
