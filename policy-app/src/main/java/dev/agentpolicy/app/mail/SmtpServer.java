package dev.agentpolicy.app.mail;

import jakarta.mail.Authenticator;
import jakarta.mail.Message;
import jakarta.mail.MessagingException;
import jakarta.mail.PasswordAuthentication;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.eclipse.angus.mail.smtp.SMTPTransport;
import org.jspecify.annotations.Nullable;

/**
 * A mail server. By {@code smtps} the connection is encrypted from the start; by {@code smtp} as soon as the server offers
 * it, and always before a password is sent.
 */
final class SmtpServer {
    private static final String TIMEOUT_MILLIS = Long.toString(TimeUnit.SECONDS.toMillis(10));

    private static final int HUNDRED = 100;
    private static final int PERMANENT = 5;
    private static final int MAX_ASCII = 0x7f;

    private final Session session;
    private final String from;

    /** A mail of plain text. Its text may hold a secret link, so it is never printed. */
    record Mail(String to, String subject, String text) {
        @Override
        public String toString() {
            return "Mail[" + subject + "]";
        }
    }

    SmtpServer(MailSettings settings) {
        this.from = settings.from();
        String password = settings.password().orElse(null);
        Properties properties = new Properties();
        String protocol = settings.isEncrypted() ? "smtps" : "smtp";
        String prefix = "mail." + protocol + ".";
        properties.setProperty("mail.transport.protocol", protocol);
        properties.setProperty(prefix + "host", settings.host());
        properties.setProperty(prefix + "port", Integer.toString(settings.port()));
        properties.setProperty(prefix + "connectiontimeout", TIMEOUT_MILLIS);
        properties.setProperty(prefix + "timeout", TIMEOUT_MILLIS);
        properties.setProperty(prefix + "writetimeout", TIMEOUT_MILLIS);
        properties.setProperty(prefix + "ssl.checkserveridentity", "true");
        properties.setProperty(prefix + "auth", Boolean.toString(password != null));
        properties.setProperty("mail.smtp.starttls.enable", "true");
        // Else each letter of an address is cut to one byte, which can make it the address of somebody else.
        properties.setProperty("mail.mime.allowutf8", "true");
        properties.setProperty(
                "mail.smtp.starttls.required", Boolean.toString(password != null && !settings.isLoopback()));
        this.session =
                Session.getInstance(properties, authenticator(settings.user().orElse(null), password));
    }

    private static @Nullable Authenticator authenticator(@Nullable String user, @Nullable String password) {
        if (user == null || password == null) {
            return null;
        }
        return new Authenticator() {
            @Override
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(user, password);
            }
        };
    }

    /** Whether the mailer can send to an address, and does not read it as another one or as several. */
    static boolean isMailable(String address) {
        try {
            InternetAddress read = new InternetAddress(address, true);
            return address.equals(read.getAddress()) && !read.isGroup();
        } catch (AddressException refused) {
            return false;
        }
    }

    /** Whether a mail that failed with this would fail again: its address cannot be read, or the server refused it for good. */
    static boolean isPermanent(MessagingException failed) {
        Exception cause = failed;
        while (cause instanceof MessagingException next) {
            if (next instanceof AddressException || replyCode(next) / HUNDRED == PERMANENT) {
                return true;
            }
            cause = next.getNextException();
        }
        return false;
    }

    /** The code of the server's reply; 0 when there was none. */
    private static int replyCode(MessagingException failed) {
        if (failed instanceof SMTPAddressFailedException address) {
            return address.getReturnCode();
        }
        if (failed instanceof SMTPSenderFailedException sender) {
            return sender.getReturnCode();
        }
        return failed instanceof SMTPSendFailedException text ? text.getReturnCode() : 0;
    }

    /**
     * Sends a mail. Blocks until the server has taken it.
     *
     * @throws AddressException when the server takes addresses of ASCII only and this is another one
     */
    void send(Mail mail) throws MessagingException {
        MimeMessage message = new MimeMessage(session);
        message.setFrom(new InternetAddress(from));
        message.setRecipient(Message.RecipientType.TO, new InternetAddress(mail.to(), true));
        message.setSubject(mail.subject(), StandardCharsets.UTF_8.name());
        message.setText(mail.text(), StandardCharsets.UTF_8.name());
        message.setHeader("Auto-Submitted", "auto-generated");
        message.saveChanges();
        try (Transport transport = session.getTransport()) {
            transport.connect();
            if (!mail.to().chars().allMatch(letter -> letter <= MAX_ASCII)
                    && !((SMTPTransport) transport).supportsExtension("SMTPUTF8")) {
                throw new AddressException("The mail server takes addresses of ASCII only.");
            }
            transport.sendMessage(message, message.getAllRecipients());
        }
    }
}
