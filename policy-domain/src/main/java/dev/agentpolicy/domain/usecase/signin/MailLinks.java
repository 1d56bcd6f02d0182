package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;

/**
 * Makes the tokens in the links of mails of one purpose, and limits how many are mailed to an address and asked for by a
 * network within an hour. Counts are kept in memory, as by {@link SignUpThrottle}.
 */
public final class MailLinks {
    /** How long a link works. */
    public static final Duration TOKEN_AGE = Duration.ofHours(1);

    public static final int TO_ADDRESS_PER_HOUR = 3;
    private static final int OF_NETWORK_PER_HOUR = 20;
    private static final int TOKEN_BYTES = 32;

    private final Purpose purpose;
    private final MailTokens tokens;
    private final RandomSource random;
    private final InstantSource clock;
    private final SignUpThrottle byAddress = SignUpThrottle.ofHour(TO_ADDRESS_PER_HOUR);
    private final SignUpThrottle byNetwork = SignUpThrottle.ofHour(OF_NETWORK_PER_HOUR);

    /** Links of one purpose, with counts of their own. */
    public static MailLinks of(Purpose purpose, MailTokens tokens, RandomSource random, InstantSource clock) {
        return new MailLinks(purpose, tokens, random, clock);
    }

    private MailLinks(Purpose purpose, MailTokens tokens, RandomSource random, InstantSource clock) {
        this.purpose = purpose;
        this.tokens = tokens;
        this.random = random;
        this.clock = clock;
    }

    /** Counts a mail; returns false when the network or the address has had all of this hour. */
    public boolean admits(String address, String network) {
        return byNetwork.secondsToWait(network, clock.instant()) == 0
                && byAddress.secondsToWait(address, clock.instant()) == 0;
    }

    /** Makes a token for an address of a user, in place of the user's earlier one. */
    public String store(UserId user, String address) {
        String token = Base64.getUrlEncoder().withoutPadding().encodeToString(random.bytes(TOKEN_BYTES));
        tokens.store(
                Sha256.hex(token),
                new MailToken(
                        user,
                        purpose,
                        address,
                        Instants.truncated(clock.instant()).plus(TOKEN_AGE)));
        return token;
    }
}
