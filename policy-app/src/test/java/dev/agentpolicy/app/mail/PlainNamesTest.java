package dev.agentpolicy.app.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of the words of others. */
class PlainNamesTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0|Firefox on Linux",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36|Chrome on Windows",
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0|Edge on Windows",
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15|Safari on macOS",
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1|Safari on iPhone",
                "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36|Chrome on Android",
                "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36|Chrome on ChromeOS",
                "Firefox/1.0 call 555 1234 or https://evil.example|Firefox",
                "Call 555 1234 on Linux|a browser",
            })
    void a_browser_is_one_of_those_that_are_known(String agent, String name) {
        assertThat(PlainNames.browser(agent)).isEqualTo(name);
    }

    @Test
    void no_agent_is_a_browser() {
        assertThat(PlainNames.browser(null)).isEqualTo("a browser");
    }

    @Test
    void a_name_keeps_letters_digits_and_hyphens_of_any_script() {
        assertThat(PlainNames.of("My phone")).contains("My phone");
        assertThat(PlainNames.of("Zoë's хранитель-2")).contains("Zoë s хранитель-2");
        assertThat(PlainNames.of("https://evil.example/?a=b\r\nBcc: x@y")).contains("https evil example a b Bcc x y");
        assertThat(PlainNames.of("BRK.B")).contains("BRK B");
        assertThat(PlainNames.of(" \u202e!\n")).isEmpty();
        assertThat(PlainNames.of("a".repeat(50))).contains("a".repeat(40));
    }
}
