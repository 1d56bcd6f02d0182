package dev.agentpolicy.app.config;

import dev.agentpolicy.app.mail.MailSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the settings of mails. The address of the server may hold a password, so a wrong one is not repeated. */
final class MailUrl {
    private static final String URL = "POLICY_SMTP_URL";
    private static final String FROM = "POLICY_SMTP_FROM";
    private static final String RULE = URL + " must be smtp://[user:password@]host[:port] or smtps://...,"
            + " with special characters of user and password percent-encoded.";
    private static final int SMTP_PORT = 587;
    private static final int SMTPS_PORT = 465;

    private MailUrl() {}

    static Optional<MailSettings> read(Settings settings) {
        Optional<String> from = settings.text(FROM);
        Optional<URI> console = settings.address("POLICY_APP_URL");
        return settings.text(URL).map(text -> {
            if (console.isEmpty()) {
                throw new CannotStart(URL + " needs POLICY_APP_URL, which the links in mails begin with.");
            }
            return settings(
                    uri(text),
                    from.filter(address -> address.matches("[^@\\s]+@[^@\\s]+"))
                            .orElseThrow(() ->
                                    new CannotStart(URL + " needs " + FROM + ", the address that mails come from.")),
                    console.get().toString());
        });
    }

    private static MailSettings settings(URI address, String from, String console) {
        boolean isEncrypted = "smtps".equals(address.getScheme());
        String[] login = login(address.getRawUserInfo());
        int port = address.getPort();
        int standard = isEncrypted ? SMTPS_PORT : SMTP_PORT;
        return new MailSettings(
                isEncrypted,
                address.getHost(),
                port < 0 ? standard : port,
                login.length == 0 ? Optional.empty() : Optional.of(decoded(login[0])),
                login.length == 0 ? Optional.empty() : Optional.of(decoded(login[1])),
                from,
                console);
    }

    private static String[] login(@Nullable String userInfo) {
        if (userInfo == null) {
            return new String[0];
        }
        String[] login = userInfo.split(":", 2);
        if (login.length < 2) {
            throw new CannotStart(RULE);
        }
        return login;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static URI uri(String text) {
        try {
            URI address = new URI(text);
            boolean isMail = "smtp".equals(address.getScheme()) || "smtps".equals(address.getScheme());
            boolean isPlain =
                    address.getRawPath().isEmpty() && address.getQuery() == null && address.getFragment() == null;
            if (isMail && isPlain && address.getHost() != null) {
                return address;
            }
        } catch (URISyntaxException malformed) {
            // Not given as the cause, whose message has the address.
        }
        throw new CannotStart(RULE);
    }
}
