package dev.agentpolicy.app.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;

/** A session whose budget is used up by something else, such as a script that goes wrong. */
class ConsoleBusyTest extends ConsoleBench {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @Test
    void a_page_that_is_refused_for_long_says_what_to_do() {
        Tab tab = household().tab(browser, WIDE).go("/policy").sees("Version 1");
        tab.evaluate("""
                window.answering = window.fetch;
                window.fetch = async () => new Response(
                  '{"error":"rate_limit_exceeded","message":"More than 20 calls a second in this session; wait a second.","requestId":"1"}',
                  { status: 429, headers: { 'Retry-After': '1' } });
                0""");

        tab.click("Agents")
                .sees("More than 20 calls a second in this session; wait a second.")
                .sees("Wait a second and try again.");
        tab.evaluate("window.fetch = window.answering; 0");
        tab.click("Try again").sees("Rebalancer");
    }

    @Test
    void a_page_that_is_refused_once_waits_and_shows_what_it_was_asked_for() {
        ConsoleHousehold household = household();
        Tab tab = household.tab(browser, WIDE).go("/policy").sees("Version 1");
        for (int call = 0; call < 70; call++) {
            status(household);
        }

        tab.click("Agents").sees("Rebalancer");
    }

    private static int status(ConsoleHousehold household) {
        HttpRequest call = HttpRequest.newBuilder(URI.create(household.address() + "/api/app/v1/me"))
                .header("Cookie", "policy_session=" + household.session())
                .build();
        try {
            return HTTP.send(call, BodyHandlers.discarding()).statusCode();
        } catch (IOException broken) {
            throw new IllegalStateException(broken);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
