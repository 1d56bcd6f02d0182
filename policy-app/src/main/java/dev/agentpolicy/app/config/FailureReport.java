package dev.agentpolicy.app.config;

import dev.agentpolicy.adapter.http.server.HttpServer.UnusableAddress;
import dev.agentpolicy.adapter.jdbc.backup.H2Backup.BackupFailed;
import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import dev.agentpolicy.adapter.signing.UnusableKeys;
import dev.agentpolicy.domain.account.Unavailable;
import java.io.PrintWriter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prints why a command failed: one line where the operator can fix the cause, the whole stack trace where it is a bug. */
public final class FailureReport {
    public static final int EXIT_CODE = 1;

    private static final Logger LOG = LoggerFactory.getLogger(FailureReport.class);

    private FailureReport() {}

    public static int explain(Exception failed, PrintWriter err) {
        if (failed instanceof CannotStart
                || failed instanceof UnusableAddress
                || failed instanceof UnusableDatabase
                || failed instanceof UnusableKeys
                || failed instanceof BackupFailed
                || failed instanceof Unavailable) {
            err.println(oneLine(failed));
            LOG.debug("Cannot start", failed);
        } else {
            LOG.error("Ended by a bug, please report it", failed);
        }
        return EXIT_CODE;
    }

    private static String oneLine(Exception failed) {
        return String.valueOf(failed.getMessage()).strip().replaceAll("\\s*\\R\\s*", " ");
    }
}
