package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.agent.CallForm;
import dev.agentpolicy.adapter.http.agent.CallGate;
import dev.agentpolicy.adapter.http.agent.CallGate.Need;
import dev.agentpolicy.adapter.http.route.Access;
import dev.agentpolicy.adapter.http.route.Route;
import dev.agentpolicy.adapter.http.wire.ErrorCode;
import dev.agentpolicy.adapter.http.wire.ErrorResponse;
import dev.agentpolicy.adapter.http.wire.RejectedRequest;
import dev.agentpolicy.adapter.http.wire.Reply;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.event.tlog.Tile.Slice;
import dev.agentpolicy.domain.usecase.agent.ReadLog;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The transparency log as others read it (C2SP tlog-tiles).
 *
 * @param access {@code PUBLIC} for everyone, {@code READ_OR_SESSION} for live keys and sessions
 */
record LogApi(ReadLog log, Access access, CallGate keys, SessionGate sessions) {
    private static final String CHECKPOINT = "/tlog/checkpoint";
    private static final String TILE = "/tlog/tile/<tile>";
    private static final String FOR_EVER = ", max-age=31536000, immutable";

    List<Route> routes() {
        return List.of(row(CHECKPOINT, this::checkpoint), row(TILE, this::tile));
    }

    private Route row(String path, Consumer<Context> work) {
        return new Route("GET", path, access, "-", access == Access.PUBLIC ? open(path, work) : kept(path, work));
    }

    private Handler open(String path, Consumer<Context> work) {
        return keys.admitAnyone(path, ctx -> blocking(ctx, work));
    }

    /** A caller with a key is let in as agents are, any other one as users are. */
    private Handler kept(String path, Consumer<Context> work) {
        Need need = Need.of(path, access);
        Handler ofUser = sessions.admitViewers(call -> work.accept(call.ctx()));
        return ctx -> {
            if (ctx.header("Authorization") == null) {
                ofUser.handle(ctx);
            } else {
                keys.admitForm(ctx, need, CallForm.HTTP, call -> {
                    if (call.caller().key().type() == KeyType.TEST) {
                        call.refuse(ErrorResponse.of(ErrorCode.FORBIDDEN, "Test keys do not read the log."));
                    } else {
                        blocking(ctx, work);
                    }
                });
            }
        };
    }

    /** A call is let in on the thread that found its key, which must not block. */
    private static void blocking(Context ctx, Consumer<Context> work) {
        Reply.onServerThread(ctx, CompletableFuture.completedFuture(ctx), work);
    }

    private void checkpoint(Context ctx) {
        String note = Reply.given(log.checkpoint());
        ctx.contentType("text/plain; charset=utf-8").result(note);
    }

    private void tile(Context ctx) {
        Slice slice = Slice.read(ctx.pathParam("tile"));
        if (slice == null) {
            throw new RejectedRequest(ErrorResponse.of(ErrorCode.NOT_FOUND, "There is no such tile."));
        }
        byte[] bytes = Reply.given(log.tile(slice));
        ctx.header("Cache-Control", (access == Access.PUBLIC ? "public" : "private") + FOR_EVER)
                .contentType("application/octet-stream")
                .result(bytes);
    }
}
