package dev.agentpolicy.app.mail;

import dev.agentpolicy.app.mail.SmtpServer.Mail;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.agent.User;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * Writes the mails of the service (docs/reference/sign-in.md, Mails).
 *
 * @param console address of the console, without a slash at its end
 */
public record MailTexts(String console) {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern(
                    "HH:mm 'UTC on' d MMMM uuuu", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    /** What a notice about the safety of an account says in a few words, without names. */
    public static String subject(Notice notice) {
        return new MailTexts("").text(notice, RequestNotices.OFF).subject;
    }

    /** What an agent wants to trade, in a sentence. */
    public static String trade(Proposal proposal) {
        Trade trade = proposal.trade();
        return PlainNames.of(proposal.agentName()).orElse("An agent") + " wants to "
                + trade.action().wireName() + " "
                + PlainNames.of(trade.asset().value()).orElse("an asset") + " for "
                + Decimals.text(trade.amount().value()) + " USD.";
    }

    /** The mail about a notice; empty when the user does not want it. */
    Optional<Mail> write(User user, Notice notice) {
        if (notice instanceof Notice.RequestWaits && user.notices().mail() == RequestNotices.OFF) {
            return Optional.empty();
        }
        Text text = text(notice, user.notices().mail());
        return Optional.of(new Mail(notice.recipient().orElse(user.email()), text.subject, text.body + "\n"));
    }

    private record Text(String subject, String body) {}

    private Text text(Notice notice, RequestNotices wanted) {
        if (notice instanceof Notice.RequestWaits waits) {
            return waits.count() == 1 ? requestWaits(waits.proposal(), wanted) : requestsWait(waits);
        }
        if (notice instanceof Notice.KeyMinted minted) {
            return new Text(
                    "A key was made",
                    "The key" + named(minted.name()) + " was made at " + time(minted.at())
                            + ".\n\nIf it was not you, revoke it and change your password: " + console + "/agents");
        }
        if (notice instanceof Notice.KeyRevoked revoked) {
            return new Text(
                    "A key was revoked",
                    "The key" + named(revoked.name()) + " was revoked at " + time(revoked.at()) + ".\n\n" + console
                            + "/agents");
        }
        if (notice instanceof Notice.TokenReused reused) {
            return new Text(
                    "A connection was ended, since its token may be stolen",
                    "An old token of the connection" + named(reused.name()) + " was used at "
                            + time(reused.at()) + ". Somebody may have a copy of it, so the connection was"
                            + " ended.\n\nConnect the program again if you still use it: " + console + "/agents");
        }
        if (notice instanceof Notice.PasskeyAdded added) {
            return new Text(
                    "A passkey was added",
                    "The passkey" + named(added.name()) + " was added to your account at " + time(added.at())
                            + ".\n\nIf it was not you, remove it and change your password: " + console + "/account");
        }
        if (notice instanceof Notice.ViewerAdded added) {
            return new Text(
                    "A viewer was added",
                    "The viewer" + named(added.name()) + " may look at your account since "
                            + time(added.at())
                            + ".\n\nIf it was not you, revoke it and change your password: " + console + "/account");
        }
        if (notice instanceof Notice.DeviceAdded added) {
            return new Text(
                    "A device gets notifications",
                    "The device" + named(added.name()) + " gets notifications about your account since "
                            + time(added.at())
                            + ".\n\nIf it was not you, remove it and change your password: " + console + "/account");
        }
        if (notice instanceof Notice.DeviceRemoved removed) {
            return new Text(
                    "A device gets no notifications any more",
                    "The device" + named(removed.name()) + " gets no notifications about your account since "
                            + time(removed.at())
                            + ".\n\nIf it was not you, look at your devices and change your password: " + console
                            + "/account");
        }
        if (notice instanceof Notice.PasskeyRemoved removed) {
            return new Text(
                    "A passkey was removed",
                    "The passkey" + named(removed.name()) + " was removed from your account at "
                            + time(removed.at()) + ".\n\nIf it was not you, change your password: " + console
                            + "/account");
        }
        if (notice instanceof Notice.PolicyScheduled scheduled) {
            return new Text(
                    "A looser policy comes into force at " + time(scheduled.effectiveAt()),
                    "A policy that lets agents do more was put at " + time(scheduled.at())
                            + ". It comes into force at " + time(scheduled.effectiveAt())
                            + ".\n\nIf you do not want it, cancel it before: " + console + "/policy");
        }
        if (notice instanceof Notice.PolicyDropped dropped) {
            return new Text(
                    "A policy that waited was dropped",
                    "The policy that waited was not valid any more when it was to come into force, at "
                            + time(dropped.at()) + ". The policy in force stays as it is.\n\n" + console
                            + "/policy");
        }
        if (notice instanceof Notice.NewSignIn signIn) {
            return new Text(
                    "A sign-in from somewhere new",
                    "Somebody signed in to your account at " + time(signIn.at()) + " from "
                            + signIn.address() + " with " + PlainNames.browser(signIn.agent())
                            + ".\n\nIf it was not you, change your password, which ends all other sessions: " + console
                            + "/");
        }
        if (notice instanceof Notice.PasswordChanged changed) {
            return new Text(
                    "Your password was changed",
                    "The password of your account was changed at " + time(changed.at())
                            + ".\n\nIf it was not you, set another one: " + console + "/sign-in");
        }
        if (notice instanceof Notice.PasswordReset reset) {
            return new Text(
                    "Set a new password",
                    "Somebody asked for a new password of your account. Set one within an hour:\n\n" + console
                            + "/sign-in#password-reset=" + reset.token()
                            + "\n\nIf it was not you, do nothing; the password stays as it is.");
        }
        if (notice instanceof Notice.EmailConfirmation confirmation) {
            return new Text(
                    "Confirm your address",
                    "Confirm within an hour that this is your address:\n\n" + console + "/sign-in#email-confirmation="
                            + confirmation.token()
                            + "\n\nIf it was not you, do nothing; no more mails come here until the address is confirmed.");
        }
        Notice.EmailChanged changed = (Notice.EmailChanged) notice;
        return new Text(
                "Your address was changed",
                "Since " + time(changed.at()) + " your account has another address, and this one gets no"
                        + " more mails.\n\nIf it was not you, tell the operator of this service at once: "
                        + console + "/");
    }

    private Text requestWaits(Proposal proposal, RequestNotices wanted) {
        String what = wanted == RequestNotices.WITH_AMOUNTS ? " " + trade(proposal) : "";
        return new Text(
                "A request waits for you",
                "A request of an agent waits for your answer until " + time(proposal.expiresAt()) + "." + what + "\n\n"
                        + console + "/requests/" + proposal.id());
    }

    private Text requestsWait(Notice.RequestWaits requests) {
        return new Text(
                requests.count() + " requests wait for you",
                "Agents made " + requests.count()
                        + " requests since the last mail about one. The first of them waits for"
                        + " your answer until "
                        + time(requests.proposal().expiresAt()) + ".\n\n" + console
                        + "/requests");
    }

    private static String time(Instant at) {
        return MINUTE.format(at);
    }

    private static String named(String name) {
        return PlainNames.of(name).map(plain -> " \"" + plain + "\"").orElse("");
    }
}
