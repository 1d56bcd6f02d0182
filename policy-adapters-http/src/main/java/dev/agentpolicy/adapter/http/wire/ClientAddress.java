package dev.agentpolicy.adapter.http.wire;

import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;

/**
 * Finds out where a call came from.
 *
 * @param trustsProxy whether {@code X-Forwarded-For} is used; without a proxy, clients could write anything into it
 */
public record ClientAddress(boolean trustsProxy) {
    private static final int MAX_LENGTH = 64;

    /** The network of the address, for the limits of sign-ups and wrong passwords. */
    public String network(Context ctx) {
        return ClientNetwork.of(of(ctx));
    }

    public String of(Context ctx) {
        String socket = ctx.req().getRemoteAddr();
        if (!trustsProxy) {
            return socket;
        }
        List<String> forwarded = Collections.list(ctx.req().getHeaders("X-Forwarded-For"));
        String last = String.join(",", forwarded);
        last = last.substring(last.lastIndexOf(',') + 1).trim();
        return last.isEmpty() || last.length() > MAX_LENGTH ? socket : last;
    }
}
