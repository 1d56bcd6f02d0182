package dev.agentpolicy.app.console;

import static dev.agentpolicy.app.console.ConsoleHousehold.BUY_BTC;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Texts of agents are shown as text, never as markup. */
class ConsoleTextEscapingTest extends ConsoleBench {
    private static final int[] UNSEEN = {
        0x00ad, 0x034f, 0x061c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x2069,
        0x206f, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe01ef
    };

    @Test
    void a_rationale_cannot_draw_outside_of_its_box() {
        ConsoleHousehold household = household();
        household.agent().propose(BUY_BTC.replace("Crypto is", "a" + "\u0301".repeat(300) + " Crypto is"));
        Tab tab = household.tab(browser, WIDE).go("/requests").sees("under its target.");
        String struck = headline(tab);
        tab.evaluate("document.querySelector('blockquote').style.visibility = 'hidden'");

        assertThat(headline(tab)).isEqualTo(struck);
    }

    @Test
    void invisible_characters_are_shown_by_name_and_all_others_unchanged() {
        String seen =
                "Käufe \u00e9, e\u0301, \u05d0\u05d1, \u0627, \u65e5\u672c, \ud83d\ude00, 1\u00a0000 \u2013 \u201cok\u201d";
        Tab tab = household().tab(browser, WIDE).go("/requests");

        assertThat(shown(tab, seen)).isEqualTo(seen);
        for (int character : UNSEEN) {
            assertThat(shown(tab, "Buy" + Character.toString(character) + "now"))
                    .isEqualTo(String.format("Buy[U+%04X]now", character));
        }
    }

    @Test
    void a_rationale_cannot_hide_text_from_the_user() {
        ConsoleHousehold household = household();
        String hidden = new String(new int[] {0xe0053, 0xe0045, 0xe004c, 0xe004c}, 0, 4);
        household.agent().propose(BUY_BTC.replace("Crypto is", "Fine" + hidden + "\u2800\ufe0f\u034f\uffa0 Crypto is"));

        household
                .tab(browser, WIDE)
                .go("/requests")
                .sees("FineU+E0053U+E0045U+E004CU+E004CU+2800U+FE0FU+034FU+FFA0 Crypto is under its target.");
    }

    /** A text as the console shows it, with each mark in brackets. */
    private static String shown(Tab tab, String text) {
        return tab.evaluate("(async () => { const base = document.querySelector('script[type=module]').src;"
                        + " const { visible } = (await import(base)).firstView['lib/format.js'];"
                        + " return visible('" + text + "').map((part) => part.text ?? `[${part.mark}]`).join(''); })()")
                .asString();
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
