package dev.agentpolicy.domain.ips;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.sample.SampleValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The time zones of standing rules, which are the same on every JDK. */
class HoursZoneTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UTC",
                "GMT",
                "CET",
                "Japan",
                "EST5EDT",
                "GB-Eire",
                "GMT0",
                "US/Eastern",
                "Etc/GMT+5",
                "America/New_York"
            })
    void an_iana_name_is_accepted_and_survives_being_signed(String zone) {
        Ips ips = read(zone).orElseThrow();

        assertThat(signed(ips)).contains("\"tz\":\"" + zone + "\"");
        assertThat(IpsDocument.readSigned(CanonicalForm.read(signed(ips))).orElseThrow())
                .isEqualTo(ips);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SystemV/PST8PDT",
                "EST",
                "MST",
                "HST",
                "ROC",
                "PST",
                "Z",
                "+01:00",
                "GMT+1",
                "GMT+0",
                "UTC+2",
                "UTC+01:00",
                "UT",
                "japan",
                "america/new_york",
                "America/",
                "Mars/Base",
                " UTC",
                ""
            })
    void a_zone_that_is_not_an_iana_name_is_refused(String zone) {
        assertThat(read(zone).problems())
                .extracting(Problem::message)
                .containsExactly("standingRules[0].when.hours.tz must be an IANA time zone such as America/New_York.");
    }

    @Test
    void a_zone_known_only_to_java_is_still_read_from_signed_statements() {
        String before = signed(read("US/Pacific").orElseThrow()).replace("US/Pacific", "SystemV/PST8PDT");

        Ips ips = IpsDocument.readSigned(CanonicalForm.read(before)).orElseThrow();

        assertThat(signed(ips)).isEqualTo(before);
    }

    private static Reading<Ips> read(String zone) {
        return SampleValues.readIps("{\"standingRules\":[{\"id\":\"a\",\"effect\":\"block\",\"when\":"
                + "{\"hours\":{\"start\":22,\"end\":6,\"tz\":\"" + zone + "\"}}}]}");
    }

    private static String signed(Ips ips) {
        return CanonicalForm.write(IpsDocument.toSigned(ips));
    }
}
