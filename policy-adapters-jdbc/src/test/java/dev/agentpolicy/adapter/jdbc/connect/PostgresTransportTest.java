package dev.agentpolicy.adapter.jdbc.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.connect.Connections.PostgresTransport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses of PostgreSQL let anything leave the machine unencrypted. */
class PostgresTransportTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql://db.internal/policy",
                "jdbc:postgresql://10.0.0.5:5433/policy?sslmode=prefer",
                "jdbc:postgresql://db.internal/policy?sslmode=disable&user=a",
                "jdbc:postgresql://db.internal/policy?ssl=false",
                "jdbc:postgresql://localhost:5432,db.internal:5432/policy",
                "jdbc:postgresql://[2001:db8::1]/policy?sslmode=allow",
                "jdbc:postgresql://localhost.example.com/policy"
            })
    void a_host_elsewhere_that_need_not_encrypt_is_open(String url) {
        assertThat(PostgresTransport.isOpen(url)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:postgresql:policy",
                "jdbc:postgresql:///policy",
                "jdbc:postgresql://localhost/policy",
                "jdbc:postgresql://127.0.0.1:5433/policy?user=postgres",
                "jdbc:postgresql://[::1]:5432/policy",
                "jdbc:postgresql://db.internal/policy?sslmode=require",
                "jdbc:postgresql://db.internal/policy?sslmode=verify-ca",
                "jdbc:postgresql://one,other/policy?sslmode=verify-full",
                "jdbc:postgresql://db.internal/policy?ssl=true",
                "jdbc:postgresql://db.internal/policy?gssEncMode=require"
            })
    void a_host_on_this_machine_and_one_that_must_encrypt_are_not(String url) {
        assertThat(PostgresTransport.isOpen(url)).isFalse();
    }
}
