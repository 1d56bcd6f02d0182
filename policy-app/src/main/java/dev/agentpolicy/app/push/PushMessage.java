package dev.agentpolicy.app.push;

import dev.agentpolicy.app.mail.MailTexts;
import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.RequestNotices;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.request.Proposal;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/**
 * What a device shows (docs/reference/notices.md).
 *
 * @param title its first line
 * @param body the lines after it
 * @param href the page of the console that it opens
 * @param topic what it is about; a newer message takes the place of one with the same topic
 */
record PushMessage(String title, String body, String href, String topic) {
    private static final String REQUESTS = "requests";
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("d MMMM, HH:mm 'UTC'", Locale.ENGLISH).withZone(ZoneOffset.UTC);

    /** That one request waits. */
    static PushMessage of(Proposal proposal, RequestNotices wanted) {
        String what = wanted == RequestNotices.WITH_AMOUNTS ? MailTexts.trade(proposal) + " " : "";
        return new PushMessage(
                "A request waits for you",
                what + "It waits until " + MINUTE.format(proposal.expiresAt()) + ".",
                "/requests/" + proposal.id(),
                REQUESTS);
    }

    /** That several requests wait. */
    static PushMessage of(int requests) {
        return new PushMessage(
                requests + " requests wait for you", "Agents wait for your answers.", "/requests", REQUESTS);
    }

    /** About the safety of the account, without the names that are in the mail. */
    static PushMessage of(Notice notice) {
        String kind = notice.getClass().getSimpleName();
        boolean isOfKeys = notice instanceof Notice.KeyMinted
                || notice instanceof Notice.KeyRevoked
                || notice instanceof Notice.TokenReused;
        boolean isOfPolicy = notice instanceof Notice.PolicyScheduled || notice instanceof Notice.PolicyDropped;
        return new PushMessage(
                MailTexts.subject(notice),
                "If it was not you, see to it now.",
                isOfKeys ? "/agents" : isOfPolicy ? "/policy" : "/account",
                kind);
    }

    byte[] json() {
        return CanonicalForm.writeStored(Map.of("title", title, "body", body, "href", href, "tag", topic))
                .getBytes(StandardCharsets.UTF_8);
    }
}
