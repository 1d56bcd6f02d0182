package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.Household.BUY_BTC;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Texts of agents stay in their place. */
class ConsoleForeignTest extends ConsoleBench {
    @Test
    void a_rationale_paints_nothing_outside_of_itself() {
        Household household = household();
        household.agent().propose(BUY_BTC.replace("Crypto is", "a" + "\u0301".repeat(300) + " Crypto is"));
        Tab tab = household.tab(browser, WIDE).go("/").sees("under its target.");
        String struck = headline(tab);
        tab.evaluate("document.querySelector('blockquote').style.visibility = 'hidden'");

        assertThat(headline(tab)).isEqualTo(struck);
    }

    /** A picture of what the trade is, which stands above its rationale. */
    private static String headline(Tab tab) {
        JsonNode box = tab.evaluate("(({x, y, width, height}) => [x, y, width, height])"
                + "(document.querySelector('article h2').getBoundingClientRect())");
        Map<String, Double> clip = Map.of(
                "x", box.get(0).asDouble(),
                "y", box.get(1).asDouble(),
                "width", box.get(2).asDouble(),
                "height", box.get(3).asDouble(),
                "scale", 1.0);
        return tab.send("Page.captureScreenshot", Map.of("format", "png", "clip", clip))
                .get("data")
                .asString();
    }
}
