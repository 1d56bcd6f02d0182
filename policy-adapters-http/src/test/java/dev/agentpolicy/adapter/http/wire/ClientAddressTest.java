package dev.agentpolicy.adapter.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The network of an address. */
class ClientAddressTest {

    @ParameterizedTest
    @CsvSource(textBlock = """
            192.0.2.7,                    192.0.2.7
            192.0.2.7:4711,               192.0.2.7
            ::ffff:192.0.2.7,             192.0.2.7
            2001:db8:1:2:3:4:5:6,         2001:db8:1:2:0:0:0:0/64
            2001:DB8:1:2::,               2001:db8:1:2:0:0:0:0/64
            [2001:db8:1:2:a::b],          2001:db8:1:2:0:0:0:0/64
            [2001:db8:1:2:a::b]:443,      2001:db8:1:2:0:0:0:0/64
            fe80::1%eth0,                 fe80:0:0:0:0:0:0:0/64
            2001:db8:1:3::1,              2001:db8:1:3:0:0:0:0/64
            unknown,                      unknown
            _hidden,                      _hidden
            not:an:address,               not:an:address
            [,                            ''
            """)
    void an_ipv6_address_is_reduced_to_its_first_64_bits(String address, String network) {
        assertThat(ClientAddress.network(address)).isEqualTo(network);
    }
}
