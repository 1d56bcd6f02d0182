package dev.agentpolicy.adapter.http.route;

import io.javalin.http.Handler;

/**
 * One row of a route table.
 *
 * @param method HTTP method
 * @param path with parameters in braces
 * @param access what the caller must have
 * @param input query parameters, headers and body it looks at, as the documentation names them; {@code -} for none
 * @param handler answers, with every check of its API before it
 */
public record Route(String method, String path, Access access, String input, Handler handler) {}
