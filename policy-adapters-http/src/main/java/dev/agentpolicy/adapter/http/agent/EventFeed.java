package dev.agentpolicy.adapter.http.agent;

import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.adapter.http.wire.FairShare;
import dev.agentpolicy.adapter.http.wire.Query;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.adapter.http.wire.RequestHeaders;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageVersion;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers with pages of the signed chain (specification, Behaviour rule 6), or with 304 to a client that polls and has the
 * page already (docs/reference/events.md).
 */
public final class EventFeed {
    private EventFeed() {}

    /** Only clients of HTTP may have the page already. */
    static void ofAgent(AgentCall call, FairShare share) {
        Context ctx = call.ctx();
        ReadEvents events = call.useCases().readEvents();
        UserId account = call.caller().account();
        EventQuery query = query(call.query());
        if (call.form() == CallForm.HTTP) {
            call.readInTurn(share, account, () -> load(ctx, events, account, query), page -> answer(ctx, page));
        } else {
            call.readInTurn(share, account, () -> AuditJson.bytes(events.read(account, query)), call::answer);
        }
    }

    /** Answers the call of a user in the app. Blocks. */
    public static void answer(Context ctx, ReadEvents events, UserId account) {
        answer(ctx, load(ctx, events, account, query(Query.of(ctx))));
    }

    /** The number of the row in the path of a call; 0, which no row has, if it is none. */
    public static long seq(Context ctx) {
        String seq = ctx.pathParam("seq");
        return seq.matches("[1-9][0-9]{0,15}") ? Long.parseLong(seq) : 0;
    }

    /** Reads a page and sets its tag. Empty if the client has the page already; then no row is read. */
    private static Optional<byte[]> load(Context ctx, ReadEvents events, UserId account, EventQuery query) {
        PageVersion version = events.version(account);
        Optional<String> current = RequestHeaders.ifNoneMatch(ctx, tag -> PageTag.isCurrent(tag, version));
        if (current.isPresent()) {
            ctx.header(
                    "ETag",
                    current.filter(tag -> !tag.equals(RequestHeaders.ANY))
                            .orElseGet(() -> PageTag.of(version, version.at()).header()));
            return Optional.empty();
        }
        PageWithSignedHead page = events.read(account, query);
        ctx.header("ETag", PageTag.of(version, page.head().issuedAt()).header());
        return Optional.of(AuditJson.bytes(page));
    }

    private static void answer(Context ctx, Optional<byte[]> page) {
        page.ifPresentOrElse(json -> Reply.blocking(ctx, json), () -> Reply.notModified(ctx));
    }

    private static EventQuery query(Query query) {
        int limit = query.integer("limit", EventQuery.MIN_LIMIT, EventQuery.MAX_LIMIT, EventQuery.DEFAULT_LIMIT);
        Direction order = query.parameter(
                        "order",
                        "must be asc or desc",
                        name -> Direction.named(name).orElse(null))
                .orElse(Direction.ASC);
        Optional<EventKind> kind = query.parameter(
                "eventType",
                "must be a known kind of event",
                name -> EventKind.named(name).orElse(null));
        Optional<Instant> since = query.instant("since").map(EventFeed::roundedUp);
        EventQuery first = new EventQuery(limit, order, kind, since, OptionalLong.empty());
        return query.parameter(
                        "cursor",
                        "must be the nextCursor of a page of the same query",
                        cursor -> first.after(cursor).orElse(null))
                .orElse(first);
    }

    /** The first microsecond at or after an instant. Times in the log have microseconds. */
    private static Instant roundedUp(Instant since) {
        Instant micro = since.truncatedTo(ChronoUnit.MICROS);
        return micro.equals(since) ? since : micro.plus(1, ChronoUnit.MICROS);
    }

    /**
     * The entity tag of a page of events: the version of the chain, and the second in which the head on the page was signed.
     *
     * <p>It is a weak tag, because two pages with the same tag may differ in the time and signature of their heads. A head is a
     * fresh statement of where the chain ends, and an answer 304 carries none. So a tag is valid for {@link #MAX_AGE} only; a
     * client that polls gets a newly signed head at least that often.
     */
    private record PageTag(String digest, long issuedAtSecond) {
        private static final Duration MAX_AGE = Duration.ofMinutes(1);
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
}
