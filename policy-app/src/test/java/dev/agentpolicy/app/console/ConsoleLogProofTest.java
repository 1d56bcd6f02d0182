package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.SELL_SPY;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The transparency log in the console: where an event is in it, and its proof checked in the browser. */
class ConsoleLogProofTest extends ConsoleBench {
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
    void an_event_says_where_it_is_in_the_log_and_the_proof_page_checks_its_proof() {
        ConsoleHousehold household = household();
        household.agent().call("POST", "/policy/validate", SELL_SPY);
        Tab tab = household.tab(browser, WIDE).go("/activity").until(PROOF);

        tab.until("document.querySelector('.feed > li[data-seq=\"1\"]') !== null");
        tab.evaluate("document.querySelector('.feed > li[data-seq=\"1\"] summary').click()");
        tab.sees("In the log at").sees("not witnessed").sees("Download the proof");

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
