package dev.agentpolicy.adapter.http.server;

import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Leaves a call the method of its request line. The router would take another from a header, and whoever lets calls through
 * by their method, a proxy or the check of foreign sites, would have looked at the wrong one.
 */
public final class MethodOverrideGuard extends Handler.Wrapper {
    private static final String OVERRIDE = "X-HTTP-Method-Override";

    private static final Set<String> KNOWN =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    /** The name of a method, of which strangers could make up as many as they like. */
    public static String named(String method) {
        return KNOWN.contains(method) ? method : "(unknown)";
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        return super.handle(request.getHeaders().contains(OVERRIDE) ? plain(request) : request, response, callback);
    }

    private static Request plain(Request request) {
        HttpFields.Mutable headers = HttpFields.build();
        for (HttpField field : request.getHeaders()) {
            if (!field.is(OVERRIDE)) {
                headers.add(field);
            }
        }
        return new Request.Wrapper(request) {
            @Override
            public HttpFields getHeaders() {
                return headers;
            }
        };
    }
}
