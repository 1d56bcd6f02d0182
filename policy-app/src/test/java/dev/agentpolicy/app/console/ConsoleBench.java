package dev.agentpolicy.app.console;

import dev.agentpolicy.app.RunningService;
import dev.agentpolicy.app.guard.Clocks;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** A running service and a browser, for all tests of a class. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class ConsoleBench {
    static final int NARROW = 360;
    static final int WIDE = 1600;

    RunningService service;
    Browser browser;
    private int contextsOfAll;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Browser.start();
        service = start(directory);
    }

    /** Starts the service. */
    RunningService start(Path directory) {
        return RunningService.start(directory, settings(), clocks());
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
        if (service != null) {
            service.close();
        }
    }

    @BeforeEach
    void count() {
        contextsOfAll = browser.contexts();
    }

    /** Pages that no test looks at would go on asking the service and drawing what it says. */
    @AfterEach
    void closePages() {
        browser.closeAllBut(contextsOfAll);
    }

    /** Settings of the service beside those that every test has. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** The clocks of the service. */
    Clocks clocks() {
        return Clocks.system();
    }

    /** A browser of its own whose person signs in with a password. */
    Tab signIn(String email, String password) {
        Tab tab = browser.open(service.address(), WIDE).go("/sign-in");
        return tab.fill("email", email)
                .fill("password", password)
                .click("Sign in")
                .sees("Headroom");
    }

    ConsoleHousehold household() {
        return ConsoleHousehold.at(service.address());
    }
}
