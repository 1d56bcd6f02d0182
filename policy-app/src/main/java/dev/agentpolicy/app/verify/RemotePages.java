package dev.agentpolicy.app.verify;

import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The pages of a running service, up to the highest of their heads. */
final class RemotePages implements Pages {
    private static final String FIRST = "/api/agent/v1/policy/events?order=asc&limit=500";
    private static final int MAX_CATCHING_UP = 10;

    private final ServiceClient remote;
    private @Nullable String query;
    private long lastSeq;
    private long named;
    private Instant lastTime = Instant.EPOCH;
    private int catchingUp;

    /**
     * The pages after a place.
     *
     * @param since of the last row that is known, null to begin at the first
     */
    RemotePages(ServiceClient remote, @Nullable Instant since) {
        this.remote = remote;
        this.query = since == null ? FIRST : since(since);
    }

    @Override
    public @Nullable Page next() throws IOException, InterruptedException {
        if (query == null) {
            return null;
        }
        Page page = Page.read(remote.get(query), "the service");
        if (catchingUp > 0) {
            page = page.after(lastSeq);
        }
        if (!page.rows().isEmpty()) {
            PolicyEvent last = page.rows().get(page.rows().size() - 1);
            lastSeq = last.seq();
            lastTime = last.createdAt();
        }
        named = Math.max(named, page.head() == null ? 0 : page.head().seq());
        query = following(page, query);
        return page;
    }

    @Override
    public void close() {
        query = null;
    }

    /**
     * At a service of before the head of the last page named its last row, rows may have come between the page and its
     * head. They are asked for by their time.
     */
    private @Nullable String following(Page page, String before) {
        if (page.nextCursor() != null) {
            String cursor = URLEncoder.encode(page.nextCursor(), StandardCharsets.UTF_8);
            return before.replaceAll("&cursor=.*", "") + "&cursor=" + cursor;
        }
        return named > lastSeq && catchingUp++ < MAX_CATCHING_UP ? lastSeq == 0 ? before : since(lastTime) : null;
    }

    private static String since(Instant time) {
        return FIRST + "&since=" + URLEncoder.encode(Instants.format(time), StandardCharsets.UTF_8);
    }
}
