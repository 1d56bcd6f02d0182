package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MainTest {
    private final CommandLineRun run = new CommandLineRun();

    @Test
    void help_names_every_command() {
        assertThat(run.main("--help")).isZero();
        assertThat(run.out()).contains("serve", "demo", "verify", "docs/configuration.md");
    }

    @Test
    void version_says_what_runs() {
        assertThat(run.main("--version")).isZero();
        assertThat(run.out()).isEqualTo("Agent Policy from source\n");
    }

    @Test
    void every_command_has_help() {
        assertThat(run.main("serve", "--help")).isZero();
        assertThat(run.main("demo", "--help")).isZero();
        assertThat(run.main("verify", "--help")).isZero();
    }
}
