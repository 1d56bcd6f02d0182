package dev.agentpolicy.adapter.http.server;

import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Ignores {@code X-HTTP-Method-Override}, which the router would obey. A proxy, or the check of other sites, that
 * admits a call by the method of its request line would otherwise have checked the wrong method.
 */
public final class MethodOverrideGuard extends Handler.Wrapper {
    private static final String OVERRIDE = "X-HTTP-Method-Override";

    private static final Set<String> KNOWN =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    /** The method as a label: unknown methods share one, because clients could invent any number of them. */
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
