package dev.agentpolicy.app.mail;

import java.util.Optional;

/**
 * How mails are sent.
 *
 * @param isEncrypted whether the connection is encrypted from the start
 * @param user empty when the server asks for none
 * @param password likewise; never printed
 * @param from the address that mails come from
 * @param console address of the console, for links, without a slash at its end
 */
public record MailSettings(
        boolean isEncrypted,
        String host,
        int port,
        Optional<String> user,
        Optional<String> password,
        String from,
        String console) {

    /** Whether the server is on this machine. */
    boolean isLoopback() {
        return host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    }

    @Override
    public String toString() {
        return "MailSettings[" + host + ":" + port + "]";
    }
}
