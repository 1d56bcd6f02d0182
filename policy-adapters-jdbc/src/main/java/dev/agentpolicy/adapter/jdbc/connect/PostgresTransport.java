package dev.agentpolicy.adapter.jdbc.connect;

import dev.agentpolicy.adapter.jdbc.dialect.PostgresDialect;
import java.sql.DriverManager;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks whether connections to PostgreSQL may leave the machine without encryption. */
public final class PostgresTransport {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresTransport.class);
    private static final Set<String> ENCRYPTED_MODES = Set.of("require", "verify-ca", "verify-full");

    private PostgresTransport() {}

    /** Warns if the URL names another host and does not require encryption. The URL is not logged. */
    public static void warnIfOpen(String url) {
        if (url.startsWith(PostgresDialect.PREFIX) && isOpen(url)) {
            LOG.warn(
                    "The connection to PostgreSQL leaves this machine and its URL does not require TLS: whoever is on the"
                            + " way may read and change everything. Add sslmode=verify-full to the URL (docs/operations.md).");
        }
    }

    /** Whether a URL permits unencrypted connections to another host; false if the driver refuses it. */
    static boolean isOpen(String url) {
        Map<String, String> settings = new HashMap<>();
        try {
            for (DriverPropertyInfo setting : DriverManager.getDriver(url).getPropertyInfo(url, new Properties())) {
                if (setting.value != null) {
                    settings.put(setting.name, setting.value);
                }
            }
        } catch (SQLException malformed) {
            LOG.debug("Opening the connection will say what is wrong with its URL.", malformed);
            return false;
        }
        boolean isLocal =
                Stream.of(settings.getOrDefault("PGHOST", "").split(",")).allMatch(PostgresTransport::isLocal);
        return !isLocal && !isEncrypted(settings);
    }

    private static boolean isEncrypted(Map<String, String> settings) {
        String ssl = settings.get("ssl");
        String mode = settings.getOrDefault("sslmode", ssl == null || ssl.equals("false") ? "prefer" : "verify-full");
        return ENCRYPTED_MODES.contains(mode.toLowerCase(Locale.ROOT))
                || "require".equalsIgnoreCase(settings.get("gssEncMode"));
    }

    private static boolean isLocal(String host) {
        String name = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return name.isEmpty() || name.equals("localhost") || name.equals("::1") || name.startsWith("127.");
    }
}
