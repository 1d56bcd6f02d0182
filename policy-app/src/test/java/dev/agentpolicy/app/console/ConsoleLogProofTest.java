package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.app.guard.Clocks;
import dev.agentpolicy.app.guard.SettableClocks;
import dev.agentpolicy.domain.event.TestKey;
import dev.agentpolicy.domain.event.tlog.VerifierKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The transparency log in the console: where an event is in it, and its proof checked in the browser. The policy has three
 * witnesses, none of which has an address.
 */
class ConsoleLogProofTest extends ConsoleBench {
    @TempDir
    private static Path folder;

    private final SettableClocks time = new SettableClocks(Instant.now().truncatedTo(ChronoUnit.MICROS));

    @Override
    Clocks clocks() {
        return time.running();
    }

    @Override
    Map<String, String> settings() {
        StringBuilder policy = new StringBuilder();
        for (TestKey key : new TestKey[] {TestKey.ONE, TestKey.TWO, TestKey.ROOT}) {
            String name = "w" + policy.length();
            VerifierKey witness = VerifierKey.of(name + ".example", VerifierKey.COSIGNATURE, key.x());
            policy.append("witness ")
                    .append(name)
                    .append(' ')
                    .append(witness.text())
                    .append('\n');
        }
        try {
            Path file = folder.resolve("witnesses.policy");
            return Map.of(
                    "POLICY_TLOG_POLICY",
                    Files.writeString(file, policy + "quorum w0\n").toString());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static final String PROOF =
            "(globalThis.proof ??= '', fetch('/api/app/v1/events/1/proof').then(async (answer) =>"
                    + " { if (answer.ok) globalThis.proof = await answer.text(); }), globalThis.proof !== '')";

    /** Gives the proof page a file, as a user who picks one. */
    private static String picked(String change) {
        return """
                (() => { const chosen = new DataTransfer();
                chosen.items.add(new File([%s], '1.tlog-proof'));
                const input = document.getElementById('tlog-proof');
                input.files = chosen.files;
                input.dispatchEvent(new Event('change', { bubbles: true })); })()""".formatted(change);
    }

    @Test
    void a_request_has_the_proof_of_its_decision_and_the_proof_page_says_since_when_the_quorum_is_missing() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/trades/propose", SELL_SPY);
        Tab tab = household.tab(browser, NARROW).go("/requests").click("Proof of its decision");
        tab.sees("In the log at").sees("witnessed by 0 of 3");
        assertThat(tab.is("document.documentElement.scrollWidth > innerWidth")).isFalse();
        assertThat(Axe.violations(tab)).isEmpty();

        tab.click("Check it here").sees("This event is in the log at index").sees("3 of 3 witnesses cosign");
        time.pass(Duration.ofMinutes(2));
        tab.go("/proof").sees("0 of 3 witnesses cosign the log of this service; the quorum is missing since");
        assertThat(tab.text("[data-log] + ul")).contains("w0.example does not cosign since");
        assertThat(Axe.violations(tab)).isEmpty();
        assertThat(household.app().get("/inbox").toString())
                .contains("Too few witnesses cosign the log of this service: 0 of 3.");
    }

    @Test
    void an_event_says_where_it_is_in_the_log_and_the_proof_page_checks_its_proof() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/activity").until(PROOF);

        tab.until("document.querySelector('.feed > li[data-seq=\"1\"]') !== null");
        tab.evaluate("document.querySelector('.feed > li[data-seq=\"1\"] summary').click()");
        tab.sees("In the log at").sees("witnessed by 0 of 3").sees("Download the proof");
        tab.click("Check it here").sees("This event is in the log at index");

        tab.go("/proof").sees("The chain holds").until(PROOF);
        tab.evaluate(picked("proof"));
        tab.sees("This event is in the log at index");
        tab.evaluate(picked("proof.replace(/index ([0-9]+)/, (_, n) => `index ${Number(n) + 1}`)"));
        tab.sees("the row of the proof is not in the log");
        tab.evaluate(picked("'something else'"));
        tab.sees("One of the files has another form.");
        assertThat(tab.evaluate("document.querySelector('[data-tlog]').dataset.tlog")
                        .asString())
                .isEqualTo("bad");
    }
}
