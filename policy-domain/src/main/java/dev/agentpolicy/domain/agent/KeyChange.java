package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.AssetResolver;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a key that leaves its secret as it is (docs/reference/keys.md); null members stay as they are.
 *
 * @param name a name chosen by the user, 1 to 100 characters
 * @param policy the caps, which replace all caps of the key
 * @param networks the addresses it may be used from; empty for any
 * @param paused whether the key is paused
 */
public record KeyChange(
        @Nullable String name,
        @Nullable KeyPolicy policy,
        @Nullable List<NetworkRange> networks,
        @Nullable Boolean paused) {
    private static final List<String> MEMBERS = List.of("name", "policy", "allowedCidrs", "paused");

    /** Reads what a user sent. A member that is null is a problem: it could mean no change, or no caps. */
    public static Reading<KeyChange> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        String name = fields.plainText("name", 1, KeyRequest.MAX_NAME);
        KeyPolicy policy = fields.object("policy", KeyPolicy.SCHEMA::read);
        List<NetworkRange> networks = KeyRequest.networks(fields);
        Boolean paused = fields.truth("paused");
        for (String member : MEMBERS) {
            if (sent.members().containsKey(member) && sent.get(member) == null) {
                fields.problem(member, "must not be null; leave it out to keep it");
            }
        }
        return fields.finish(() -> new KeyChange(name, policy, fields.has("allowedCidrs") ? networks : null, paused));
    }

    /** The key after the change, with canonical symbols, or the problems with them. */
    public Reading<AgentKey> applied(AgentKey key, AssetResolver resolver) {
        KeyPolicy caps = policy == null ? key.policy() : policy;
        return caps.withPaused(paused == null ? key.policy().isPaused() : paused)
                .canonical(resolver, key.policy())
                .then(spelled -> Reading.of(key.with(
                        name == null ? key.name() : name, spelled, networks == null ? key.networks() : networks)));
    }
}
