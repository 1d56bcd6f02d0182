package dev.agentpolicy.adapter.http.wire;

import dev.agentpolicy.adapter.http.wire.FairShare.Turn;
import dev.agentpolicy.adapter.http.wire.Reply.TextBody;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.usecase.Refusal;
import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.Set;

/**
 * Sends files of any length to users (docs/reference/limits.md). A download holds a thread for as long as its client
 * takes to read it, so a user has one at a time, and a node only so many.
 *
 * <p>A download takes turns among the {@linkplain FairShare reads} of its user, and has none while its client is
 * written to. Thread-safe.
 */
public final class Downloads {
    private final FairShare share;
    private final int max;
    private final Set<UserId> users = new HashSet<>();

    /** @param max downloads at the same time */
    public Downloads(FairShare share, int max) {
        this.share = share;
        this.max = max;
    }

    /** What a browser is told of a file. */
    public record FileHead(String name, String type) {}

    /**
     * Answers with a file that is written while it is made. Blocks until the client has it.
     *
     * @throws RejectedRequest when the user, or the node, has too many downloads
     */
    public void send(Context ctx, UserId user, FileHead head, TextBody body) {
        begin(user);
        try {
            ctx.header("Content-Disposition", "attachment; filename=\"" + head.name + "\"");
            Reply.text(ctx, head.type, out -> write(user, body, out));
        } finally {
            end(user);
        }
    }

    private void write(UserId user, TextBody body, Writer client) throws IOException {
        try (TurnWriter turns = new TurnWriter(user, client)) {
            Writer out = new BufferedWriter(turns, Reply.BUFFERED);
            body.write(out);
            out.flush();
        }
    }

    private synchronized void begin(UserId user) {
        if (users.contains(user)) {
            throw refused("A download of this account is under way; wait for its end.", 1);
        }
        if (users.size() >= max) {
            throw refused("More than " + max + " downloads at once; wait for the end of another.", max);
        }
        users.add(user);
    }

    private synchronized void end(UserId user) {
        users.remove(user);
    }

    private static RejectedRequest refused(String message, long limit) {
        return new RejectedRequest(ErrorResponse.of(Refusal.throttled(Refusal.Code.RATE_LIMITED, message, limit, 1)));
    }

    /** Gives the turn of a download back while its client is written to, and waits for another one after that. */
    private final class TurnWriter extends Writer {
        private final UserId user;
        private final Writer client;
        private Turn turn;

        TurnWriter(UserId user, Writer client) {
            this.user = user;
            this.client = client;
            this.turn = share.await(user);
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            turn.close();
            client.write(text, from, length);
            turn = share.await(user);
        }

        @Override
        public void flush() {
            // What is left is sent once the download has no turn any more.
        }

        @Override
        public void close() {
            turn.close();
        }
    }
}
