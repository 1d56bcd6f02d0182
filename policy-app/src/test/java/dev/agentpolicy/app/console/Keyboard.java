package dev.agentpolicy.app.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.Map;

/**
 * The hands of a person without a mouse: every action is a press of a key. Wherever the Tab key stops, the control must
 * be in view, uncovered and outlined. Headings, to which only the console moves the focus, need no outline.
 */
final class Keyboard {
    private static final int MAX_STOPS = 150;

    /** Defines {@code name(control)}: its label or its text, also the parts that only a screen reader reads. */
    private static final String NAME = """
            const name = (e) => (e.ariaLabel ?? (e.labels?.length > 0 ? e.labels[0] : e).textContent ?? '')
              .replace(/\\s+/g, ' ').trim();""";

    /** What has the focus, and what is wrong with how it looks; nothing while the browser's own controls have it. */
    private static final String FOCUSED = "(() => {" + NAME + """
            const e = document.activeElement;
            if (e === null || e === document.body) return { id: '', name: '', wrong: '' };
            if (e.tabIndex < 0) return { id: e.id, name: name(e), wrong: '' };
            const style = getComputedStyle(e);
            const r = e.getBoundingClientRect();
            const [left, right] = [Math.max(0, r.left), Math.min(innerWidth, r.right)];
            const [top, bottom] = [Math.max(0, r.top), Math.min(innerHeight, r.bottom)];
            const seen = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            const wrong = style.outlineStyle === 'none' || parseFloat(style.outlineWidth) < 2 ? 'has no outline'
              : style.outlineColor === 'rgba(0, 0, 0, 0)' ? 'has an outline without a colour'
                : right <= left || bottom <= top ? 'is out of view'
                  : e.contains(seen) || seen?.contains(e) ? '' : 'is covered by ' + seen?.outerHTML.slice(0, 80);
            return { id: e.id, name: name(e), wrong };
          })()""";

    private final Tab tab;

    Keyboard(Tab tab) {
        this.tab = tab;
    }

    /** Goes on with the Tab key until the control with this name has the focus. */
    Keyboard to(String name) {
        return to("name", name);
    }

    /** Goes on with the Tab key until the field with this id has the focus. */
    Keyboard toField(String id) {
        return to("id", id);
    }

    private Keyboard to(String member, String wanted) {
        StringBuilder stops = new StringBuilder();
        for (int i = 0; i < MAX_STOPS; i++) {
            var focused = tab.evaluate(FOCUSED);
            String name = focused.get("name").asString();
            if (focused.get(member).asString().equals(wanted)) {
                return isVisible(name);
            }
            tab.press("Tab");
            String stop = tab.evaluate(FOCUSED).get("name").asString();
            stops.append(stop).append(" | ");
            isVisible(stop);
        }
        return fail("The Tab key does not reach %s. It stops at: %s", wanted, stops);
    }

    /** A page that is still loading moves what is focused; then it is looked at again. */
    private Keyboard isVisible(String name) {
        if (tab.evaluate(FOCUSED).get("wrong").asString().isEmpty()) {
            return this;
        }
        try {
            tab.until(FOCUSED + ".wrong === ''");
        } catch (AssertionError hidden) {
            throw new AssertionError(
                    "The focus on '%s' %s."
                            .formatted(name, tab.evaluate(FOCUSED).get("wrong")),
                    hidden);
        }
        return this;
    }

    Keyboard press(String... keys) {
        for (String key : keys) {
            tab.press(key);
        }
        return this;
    }

    /** Goes to a button or link and presses Enter. */
    Keyboard enter(String name) {
        return to(name).press("Enter");
    }

    /** Goes to a field and types over what is in it. */
    Keyboard type(String id, String text) {
        toField(id);
        tab.send(
                "Input.dispatchKeyEvent",
                Map.of(
                        "type",
                        "rawKeyDown",
                        "key",
                        "a",
                        "code",
                        "KeyA",
                        "windowsVirtualKeyCode",
                        65,
                        "modifiers",
                        2,
                        "commands",
                        new String[] {"selectAll"}));
        tab.send("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", "a", "code", "KeyA", "modifiers", 2));
        text.codePoints().mapToObj(Character::toString).forEach(tab::press);
        tab.until("document.getElementById(" + Tab.quoted(id) + ").value === " + Tab.quoted(text));
        return this;
    }

    /** Goes to a list of choices and takes the one that many places further down. */
    Keyboard choose(String id, int places, String value) {
        toField(id);
        for (int i = 0; i < places; i++) {
            press("ArrowDown");
        }
        tab.until("document.getElementById(" + Tab.quoted(id) + ").value === " + Tab.quoted(value));
        return this;
    }

    /** Waits until the page says something, and then for the focus, which must not be lost on the way there. */
    Keyboard sees(String text) {
        tab.sees(text).until("document.activeElement !== document.body");
        return this;
    }

    /** Waits until the page does not say something any more, and then for the focus, as {@link #sees}. */
    Keyboard doesNotSee(String text) {
        tab.until("!document.body.innerText.includes(" + Tab.quoted(text) + ")")
                .until("document.activeElement !== document.body");
        return this;
    }

    /** What the person would have to see: the name of the focused control. */
    Keyboard isAt(String name) {
        tab.until("(() => {" + NAME + "return name(document.activeElement) === " + Tab.quoted(name) + ";})()");
        assertThat(tab.evaluate(FOCUSED).get("name").asString()).isEqualTo(name);
        return this;
    }
}
