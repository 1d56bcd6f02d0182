package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PolicyCommandTest {
    private static final String IPS = """
            {"crypto":{"min":0.1,"target":0.2,"max":0.35},"tradfi":{"min":0.4,"target":0.5,"max":0.8},
             "cashFloor":0.05,"maxDrawdown":0.25,"maxSlippage":0.01}""";

    @TempDir
    Path directory;

    private Path old;
    private Path looser;

    @BeforeEach
    void write() throws IOException {
        old = Files.writeString(directory.resolve("old.json"), IPS);
        looser = Files.writeString(directory.resolve("new.json"), IPS.replace("0.35", "0.4"));
    }

    private record Ran(int exit, String out, String err) {}

    private static Ran run(Object... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line =
                Main.commandLine(Map.of()).setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        String[] words = new String[arguments.length];
        for (int i = 0; i < words.length; i++) {
            words[i] = arguments[i].toString();
        }
        int exit = line.execute(words);
        return new Ran(exit, out.toString(), err.toString());
    }

    @Test
    void aLooserPolicyIsShownWithATradeAndFailsABuildThatAsksForThat() {
        Ran told = run("policy", "compare", old, looser);
        assertThat(told.exit()).isZero();
        assertThat(told.out())
                .contains("The new policy is looser.", "crypto.max: looser", "Newly allowed: a buy of 20000 USD of BTC")
                .contains("Before: Crypto would be 38% of the portfolio; the maximum is 35%.");

        assertThat(run("policy", "compare", old, looser, "--fail-on", "looser").exit())
                .isEqualTo(1);
        assertThat(run("policy", "compare", looser, old, "--fail-on", "looser").exit())
                .isZero();
        assertThat(run("policy", "compare", old, old, "--fail-on", "looser").exit())
                .isZero();
    }

    @Test
    void jsonIsTheAnswerOfTheService() {
        assertThat(run("policy", "compare", old, looser, "--json").out())
                .startsWith("{\"relation\":\"looser\",\"basedOn\":null,\"changes\":[{\"path\":\"crypto.max\"");
    }

    private static final String TESTS = """
            {"tests":[{"name":"Not too much crypto","portfolio":{"cash":82000,"positions":[{"symbol":"BTC",
             "assetType":"crypto","quantity":180,"price":100}]},"trade":{"action":"buy","assetSymbol":"BTC",
             "assetType":"crypto","amountUsd":20000},"expect":{"allowed":false,"rules":["crypto_max_allocation"]}}]}""";

    @Test
    void aTestThatFailsFailsTheBuildAndSaysWhy() throws IOException {
        Path tests = Files.writeString(directory.resolve("tests.json"), TESTS);

        Ran held = run("policy", "test", old, tests);
        Ran failed = run("policy", "test", looser, tests);

        assertThat(held.exit()).isZero();
        assertThat(held.out().strip()).isEqualTo("1 passed, 0 failed.");
        assertThat(failed.exit()).isEqualTo(1);
        assertThat(failed.out().strip()).isEqualToNormalizingNewlines("""
                Failed: Not too much crypto
                  It must be blocked; it is allowed.
                  It must be blocked by crypto_max_allocation alone; it is blocked by no rule.
                0 passed, 1 failed.""");
        assertThat(run("policy", "test", looser, tests, "--json").out())
                .startsWith(
                        "{\"passed\":0,\"failed\":1,\"basedOn\":null,\"results\":[{\"name\":\"Not too much crypto\"");
        assertThat(run("policy", "test", looser, tests, "--json").exit()).isEqualTo(1);
    }

    @Test
    void whatHoldsNoTestsExitsWithTwo() throws IOException {
        Path tests = Files.writeString(directory.resolve("tests.json"), TESTS.replace("\"allowed\"", "\"allow\""));

        Ran refused = run("policy", "test", old, tests);

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("tests.json: ", "tests[0].expect.allowed is missing.");
        assertThat(run("policy", "test", old, old).exit()).isEqualTo(2);
        assertThat(run("policy", "test", tests, tests).exit()).isEqualTo(2);
        assertThat(run("policy", "test", old).exit()).isEqualTo(2);
    }

    @Test
    void whatIsNotAPolicyExitsWithTwo() throws IOException {
        Path wrong = Files.writeString(directory.resolve("wrong.json"), "{\"crypto\":1}");

        Ran refused = run("policy", "compare", old, wrong);

        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("wrong.json: ", "crypto must be an object");
        assertThat(run("policy", "compare", old, directory.resolve("none.json")).exit())
                .isEqualTo(2);
        assertThat(run("policy", "compare", old, old, "--fail-on", "tighter").exit())
                .isEqualTo(2);
        assertThat(run("policy").exit()).isEqualTo(2);
    }
}
