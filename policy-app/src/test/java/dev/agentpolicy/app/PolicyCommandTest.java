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
