package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The entity tag of a page of events: the version of the chain, and the second in which the head on the page was signed.
 *
 * <p>It is a weak tag, because two pages with the same tag may differ in the time and signature of their heads. A head is a
 * fresh statement of where the chain ends, and an answer 304 carries none. So a tag is valid for {@link #MAX_AGE} only; a
 * client that polls gets a newly signed head at least that often.
 */
record PageTag(String digest, long issuedAtSecond) {
    static final Duration MAX_AGE = Duration.ofMinutes(1);
    private static final Pattern FORM = Pattern.compile("\"([0-9a-f]{32})-([0-9]{1,12})\"");

    static PageTag of(PageVersion version, Instant issuedAt) {
        return new PageTag(version.digest(), issuedAt.getEpochSecond());
    }

    /** Whether a tag that a client sent, in its quotes, stands for the page as it is now. */
    static boolean isCurrent(String sent, PageVersion now) {
        Matcher form = FORM.matcher(sent);
        if (!form.matches() || !form.group(1).equals(now.digest())) {
            return false;
        }
        long age = now.at().getEpochSecond() - Long.parseLong(form.group(2));
        return age >= 0 && age < MAX_AGE.toSeconds();
    }

    /** The value of the header {@code ETag}. */
    String header() {
        return "W/\"" + digest + "-" + issuedAtSecond + "\"";
    }
}
