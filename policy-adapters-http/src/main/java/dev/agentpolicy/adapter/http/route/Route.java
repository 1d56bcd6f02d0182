package dev.agentpolicy.adapter.http.route;

import io.javalin.http.Handler;

/**
 * A row of a route table.
 *
 * @param method HTTP method
 * @param path path, with parameters in braces
 * @param access what the caller needs
 * @param input query parameters, headers and body that are read, as the documentation names them; {@code -} for none
 * @param handler answers calls, including all checks of its API
 */
public record Route(String method, String path, Access access, String input, Handler handler) {}
