package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.StoreSamples;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkRangeTest {

    @ParameterizedTest
    @CsvSource({
        "203.0.113.0/24, 203.0.113.255, true",
        "203.0.113.0/24, 203.0.114.0, false",
        "203.0.113.7, 203.0.113.7:51000, true",
        "203.0.113.7/32, 203.0.113.8, false",
        "0.0.0.0/0, 8.8.8.8, true",
        "0.0.0.0/0, ::1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::1, [2001:db8:0::1]:443, true",
        "::1, fe80::1%eth0, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
        "10.0.0.0/8, somewhere.example, false"
    })
    void a_range_holds_the_addresses_that_share_its_prefix(String range, String address, boolean isIn) {
        AgentKey key = key(range);

        assertThat(key.worksFrom(address)).isEqualTo(isIn);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.1/8",
                "10.0.0.0/33",
                "10.0.0/24",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "256.0.0.0/8",
                "010.0.0.0/8",
                "::1/129",
                "2001:db8::1/64",
                "localhost",
                "10.0.0.0/8 ",
                "fe80::1%eth0",
                "10.0.0.0.",
                "/24",
                "1"
            })
    void what_is_no_network_or_has_host_bits_is_refused(String text) {
        assertThat(NetworkRange.of(text)).isNull();
    }

    @Test
    void a_range_is_written_with_its_prefix() {
        assertThat(NetworkRange.of("203.0.113.7")).hasToString("203.0.113.7/32");
        NetworkRange six = NetworkRange.of("2001:DB8::/32");
        assertThat(NetworkRange.of(six.toString())).isEqualTo(six);
    }

    private static AgentKey key(String range) {
        AgentKey anywhere = StoreSamples.key(StoreSamples.user());
        return anywhere.with("x", KeyPolicy.NO_CAPS, List.of(NetworkRange.of(range)));
    }
}
