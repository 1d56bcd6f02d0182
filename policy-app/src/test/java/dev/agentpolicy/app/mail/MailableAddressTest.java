package dev.agentpolicy.app.mail;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses are new accounts' own. */
class MailableAddressTest {

    @ParameterizedTest
    @ValueSource(strings = {"a@b", "a.b+c-d_e@f-g.h", "ä@ö", "дом@пример", "安@例", "a!b@c", "\"a\"@b.cc"})
    void an_address_that_the_mailer_reads_as_it_is_can_be_mailed(String address) {
        assertThat(MailOutbox.isMailable(address)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".a@b.cc",
                "a.@b.cc",
                "a..b@c.dd",
                "a@.b",
                "a@b.",
                "a@b..cc",
                "a@b_c",
                "a@b!c",
                "a,b@c",
                "a;b@c",
                "a[b@c",
                "a\"b@c",
                "\"a@b",
                "v(1)@x.y",
                "v@x.y(1)",
                "(v)v@x.y",
                "<v@x.y>",
                "Vic<v@x.y>",
                "v:w@x.y",
                "x:v@x.y;",
                ""
            })
    void an_address_that_the_mailer_would_change_or_refuse_cannot(String address) {
        assertThat(MailOutbox.isMailable(address)).isFalse();
    }
}
