package dev.agentpolicy.adapter.http;

import io.javalin.http.Context;
import java.util.Collections;
import java.util.List;

/**
 * Where a call came from.
 *
 * @param trustsProxy whether the proxy in front is believed; anybody else could write what they like into its header
 */
record ClientAddress(boolean trustsProxy) {
    private static final int MAX_LENGTH = 64;

    /** The network of the address, by which sign-ups and wrong passwords are counted. */
    String network(Context ctx) {
        return ClientNetwork.of(of(ctx));
    }

    String of(Context ctx) {
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
