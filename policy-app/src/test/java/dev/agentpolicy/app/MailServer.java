package dev.agentpolicy.app;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import dev.agentpolicy.app.mail.MailSettings;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A mail server of the tests, which keeps what it is sent. */
public final class MailServer implements AutoCloseable {
    public static final String FROM = "policy@example.com";
    private static final String USER = "policy";
    private static final String PASSWORD = "p@ss word";
    private static final String ENCODED_PASSWORD = "p%40ss%20word";
    private static final long SOON_NANOS = 5_000_000_000L;
    private static final Pattern LINK = Pattern.compile("http://\\S+");

    private final GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));

    private MailServer() {}

    public static MailServer start() {
        MailServer started = new MailServer();
        started.server.start();
        started.server.setUser(FROM, USER, PASSWORD);
        return started;
    }

    /** Settings of a service that sends its mails here, with links that begin with an address. */
    public Map<String, String> settings(String console) {
        return Map.of(
                "POLICY_SMTP_URL",
                "smtp://" + USER + ":" + ENCODED_PASSWORD + "@127.0.0.1:"
                        + server.getSmtp().getPort(),
                "POLICY_SMTP_FROM",
                FROM,
                "POLICY_APP_URL",
                console);
    }

    /** The same settings, read. */
    public MailSettings mailSettings(String console) {
        return new MailSettings(
                false,
                "127.0.0.1",
                server.getSmtp().getPort(),
                Optional.of(USER),
                Optional.of(PASSWORD),
                FROM,
                console);
    }

    /** Waits for a mail with a subject. */
    MimeMessage await(String subject) throws MessagingException {
        return await(subject, "@");
    }

    /** Waits for the link in a mail with a subject that somebody gets. */
    public String awaitLink(String subject, String to) throws MessagingException {
        String text = GreenMailUtil.getBody(await(subject, to));
        Matcher link = LINK.matcher(text);
        if (!link.find()) {
            throw new AssertionError("No link in " + text);
        }
        return link.group();
    }

    /** The latest one, since those before it may have been looked at. */
    public MimeMessage await(String subject, String to) throws MessagingException {
        for (long end = System.nanoTime() + SOON_NANOS; System.nanoTime() < end; ) {
            List<MimeMessage> all = List.of(server.getReceivedMessages());
            for (int i = all.size() - 1; i >= 0; i--) {
                MimeMessage mail = all.get(i);
                if (subject.equals(mail.getSubject())
                        && mail.getAllRecipients()[0].toString().contains(to)) {
                    return mail;
                }
            }
            server.waitForIncomingEmail(50, all.size() + 1);
        }
        throw new AssertionError("No mail " + subject + " to " + to + " among " + subjects());
    }

    public List<String> subjects() {
        return Stream.of(server.getReceivedMessages()).map(MailServer::subject).toList();
    }

    private static String subject(MimeMessage mail) {
        try {
            return mail.getSubject();
        } catch (MessagingException broken) {
            throw new AssertionError(broken);
        }
    }

    /** Forgets the mails that came so far. */
    public void forget() {
        try {
            server.purgeEmailFromAllMailboxes();
        } catch (FolderException broken) {
            throw new AssertionError(broken);
        }
    }

    @Override
    public void close() {
        server.stop();
    }
}
