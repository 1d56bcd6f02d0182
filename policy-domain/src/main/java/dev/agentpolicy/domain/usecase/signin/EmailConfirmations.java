package dev.agentpolicy.domain.usecase.signin;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.port.Notices;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.signin.MailTokens;
import dev.agentpolicy.domain.port.signin.MailTokens.Purpose;
import dev.agentpolicy.domain.port.signin.Users;
import dev.agentpolicy.domain.usecase.Refusal;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Has links sent that confirm the addresses of users (docs/reference/sign-in.md, Mails). */
public final class EmailConfirmations {
    private final Users users;
    private final MailTokens tokens;
    private final Notices notices;
    private final Predicate<String> mailable;
    private final InstantSource clock;
    private final MailLinks links;

    /** @param mailable whether the mailer can send to an address, and does not read it as another one */
    public EmailConfirmations(
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
        this.clock = clock;
        this.links = MailLinks.of(Purpose.EMAIL_CONFIRMATION, tokens, random, clock);
    }

    /** Why nobody may take an address; empty for one that can be mailed. */
    public Optional<Refusal> refusalOf(String address) {
        Problem problem = new Problem("email", "email must be an address that mails can be sent to.");
        return mailable.test(address) ? Optional.empty() : Optional.of(Refusal.invalid(List.of(problem)));
    }

    /** As {@link #send}, soon; does nothing where no mails are sent. */
    void sendLater(UserId user, String address, String network) {
        notices.execute(() -> send(user, address, network));
    }

    /**
     * Has the link sent that makes an address the confirmed one of a user. The caller does not learn whether it is sent:
     * an address that another user has gets none, and neither does one beyond the limits of address and network. A link
     * that was sent before them goes on working.
     *
     * @param network the IPv4 address, or the /64 network of an IPv6 address
     */
    public void send(UserId user, String address, String network) {
        if (links.admits(address, network)) {
            String token = links.store(user, address);
            notices.execute(() -> mail(user, address, token));
        } else if (!waits(user, address)) {
            // Nobody gets this link; the answer is as if somebody did.
            links.store(user, address);
        }
    }

    private boolean waits(UserId user, String address) {
        return tokens.of(user, Purpose.EMAIL_CONFIRMATION, clock.instant())
                .filter(token -> address.equals(token.email()))
                .isPresent();
    }

    private void mail(UserId user, String address, String token) {
        boolean isOfAnother = users.byEmail(address)
                .filter(holder -> !holder.id().equals(user))
                .isPresent();
        if (!isOfAnother) {
            notices.send(user, new Notice.EmailConfirmation(address, token));
        }
    }
}
