package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.SlidingWindow;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.MailToken;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Has links mailed that confirm an address or reset a password (docs/reference/sign-in.md, Mails). Limits for each of the two
 * how many are mailed to an address and asked for by a network within an hour; counts are kept in memory, as by
 * {@link SlidingWindow}.
 */
public final class MailLinks {
    /** How long a link works. */
    public static final Duration TOKEN_AGE = Duration.ofHours(1);

    public static final int TO_ADDRESS_PER_HOUR = 3;
    private static final int OF_NETWORK_PER_HOUR = 20;

    private final Users users;
    private final MailTokens tokens;
    private final Notices notices;
    private final Predicate<String> mailable;
    private final RandomSource random;
    private final InstantSource clock;
    private final MailLimits confirmations = MailLimits.unused();
    private final MailLimits resets = MailLimits.unused();

    /** @param mailable whether the mailer can send to an address, and does not read it as another one */
    public MailLinks(
            Users users,
            MailTokens tokens,
            Notices notices,
            Predicate<String> mailable,
            RandomSource random,
            InstantSource clock) {
        this.users = users;
        this.tokens = tokens;
        this.notices = notices;
        this.mailable = mailable;
        this.random = random;
        this.clock = clock;
    }

    /** The limits of mails of one purpose. */
    private record MailLimits(SlidingWindow ofNetwork, SlidingWindow toAddress) {
        static MailLimits unused() {
            return new MailLimits(new SlidingWindow(OF_NETWORK_PER_HOUR), new SlidingWindow(TO_ADDRESS_PER_HOUR));
        }
    }

    /** Counts a mail; returns false when the network or the address has had all of this hour. */
    private boolean admits(MailLimits limits, String address, String network) {
        return limits.ofNetwork.secondsToWait(network, clock.instant()) == 0
                && limits.toAddress.secondsToWait(address, clock.instant()) == 0;
    }

    /** Why nobody may take an address; empty for one that can be mailed. */
    Optional<Refusal> refusalOf(String address) {
        Problem problem = new Problem("email", "email must be an address that mails can be sent to.");
        return mailable.test(address) ? Optional.empty() : Optional.of(Refusal.invalid(List.of(problem)));
    }

    /** As {@link #confirm}, soon; does nothing where no mails are sent. */
    void confirmLater(UserId user, String address, String network) {
        notices.execute(() -> confirm(user, address, network));
    }

    /**
     * Has the link sent that makes an address the confirmed one of a user. The caller does not learn whether it is sent:
     * an address that another user has gets none, and neither does one beyond the limits of address and network. A link
     * that was sent before them goes on working.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     */
    void confirm(UserId user, String address, String network) {
        boolean isOfAnother = users.byEmail(address)
                .filter(holder -> !holder.id().equals(user))
                .isPresent();
        // What is not mailed counts towards the user who asks, not towards the address, whose owner needs its mails.
        if (admits(confirmations, isOfAnother ? user.toString() : address, network)) {
            String token = store(user, Purpose.EMAIL_CONFIRMATION, address);
            notices.execute(() -> {
                if (!isOfAnother) {
                    notices.send(user, new Notice.EmailConfirmation(address, token));
                }
            });
            return;
        }
        boolean waits = tokens.of(user, Purpose.EMAIL_CONFIRMATION, clock.instant())
                .filter(token -> address.equals(token.email()))
                .isPresent();
        if (!waits) {
            // Nobody gets this link; the answer is as if somebody did.
            store(user, Purpose.EMAIL_CONFIRMATION, address);
        }
    }

    /**
     * Has a link sent that resets the password to an address that has an account. The caller learns neither whether it has
     * one nor whether a mail is sent: everything happens later, and too many calls for an address or from a network are
     * ignored.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     */
    public Answer<String> reset(String address, String network) {
        if (!notices.sendsMails()) {
            return Answer.refused(noMail());
        }
        if (admits(resets, address, network)) {
            notices.execute(() -> users.byEmail(address).ifPresent(user -> {
                String token = store(user.id(), Purpose.PASSWORD_RESET, user.email());
                notices.send(user.id(), new Notice.PasswordReset(user.email(), token));
            }));
        }
        return Answer.given(address);
    }

    /** Makes a token for an address of a user, in place of the user's earlier one. */
    private String store(UserId user, Purpose purpose, String address) {
        String token = SignIn.token(random);
        tokens.store(
                Sha256.hex(token),
                new MailToken(
                        user,
                        purpose,
                        address,
                        Instants.truncated(clock.instant()).plus(TOKEN_AGE)));
        return token;
    }

    /** Removes expired tokens, and returns how many. */
    public int forgetExpired() {
        return tokens.removeExpired(clock.instant());
    }

    static Refusal unknown() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "This link has expired or was used already; ask for another one.");
    }

    static Refusal noMail() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "This service sends no mails.");
    }
}
