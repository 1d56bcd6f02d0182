package dev.agentpolicy.domain.usecase.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.port.ClientDocuments;
import dev.agentpolicy.domain.port.ClientDocuments.FetchedDocument;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.sample.CountingRandomSource;
import dev.agentpolicy.domain.usecase.connection.OAuthClients.DocumentUse;
import dev.agentpolicy.domain.usecase.connection.OAuthClients.OAuthClient;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients whose id is the address of a document. */
class OAuthClientsOfDocumentsTest {
    private static final String ID = "https://robot.example/client.json";
    private static final String REDIRECT = "https://robot.example/cb";
    private static final String DOCUMENT =
            "{\"client_id\":\"" + ID + "\",\"client_name\":\"Robot\",\"redirect_uris\":[\"" + REDIRECT
                    + "\"],\"jwks_uri\":\"https://robot.example/keys\"}";
    private static final String CLAUDE = "https://claude.ai/oauth/mcp-oauth-client-metadata";
    private static final String CLAUDE_REDIRECT = "https://claude.ai/api/mcp/auth_callback";

    private final Map<String, FetchedDocument> published = new HashMap<>();
    private final List<URI> fetched = new ArrayList<>();
    private Instant now = Instant.parse("2026-11-21T09:40:00Z");

    private OAuthClients clients(DocumentUse use) {
        ClientDocuments documents = url -> {
            fetched.add(url);
            return Optional.ofNullable(published.get(url.toString()));
        };
        return new OAuthClients(
                new InMemoryStore(() -> now, new JdkSigner()).connections(),
                documents,
                use,
                new CountingRandomSource(),
                () -> now);
    }

    private void publish(String id, String json, Duration age) {
        published.put(id, new FetchedDocument(json, age));
    }

    private static String found(OAuthClients clients, String id, String redirect) {
        return clients.find(id, redirect, "network").fold(client -> client.id(), error -> error.code());
    }

    @Test
    void a_client_is_what_its_document_says() {
        publish(ID, DOCUMENT, Duration.ZERO);
        OAuthClients clients = clients(DocumentUse.FETCH);

        assertThat(clients.find(ID, REDIRECT, "network").value())
                .isEqualTo(new OAuthClient(ID, "Robot", "robot.example", List.of(REDIRECT), false));
        assertThat(found(clients, ID, "https://robot.example/other")).isEqualTo("invalid_client");
        assertThat(found(clients, "https://robot.example/none.json", REDIRECT)).isEqualTo("invalid_client");
    }

    @Test
    void a_document_counts_only_at_the_address_that_it_names() {
        publish("https://evil.example/client.json", DOCUMENT, Duration.ZERO);
        publish("https://evil.example/none.json", DOCUMENT.replace("client_id", "id"), Duration.ZERO);
        publish("https://evil.example/broken.json", "<html>", Duration.ZERO);
        OAuthClients clients = clients(DocumentUse.FETCH);

        for (String name : List.of("client", "none", "broken")) {
            assertThat(found(clients, "https://evil.example/" + name + ".json", REDIRECT))
                    .isEqualTo("invalid_client");
        }
    }

    @Test
    void a_document_is_kept_as_its_headers_say_from_five_minutes_to_a_day() {
        for (Duration age : List.of(Duration.ZERO, Duration.ofHours(1), Duration.ofDays(9))) {
            fetched.clear();
            publish(ID, DOCUMENT, age);
            OAuthClients clients = clients(DocumentUse.FETCH);
            Duration kept = age.isZero() ? Duration.ofMinutes(5) : age.toDays() > 1 ? Duration.ofDays(1) : age;

            found(clients, ID, REDIRECT);
            now = now.plus(kept).minusMillis(1);
            found(clients, ID, REDIRECT);
            assertThat(fetched).hasSize(1);
            now = now.plusMillis(1);
            found(clients, ID, REDIRECT);
            assertThat(fetched).hasSize(2);
        }
    }

    @Test
    void one_address_has_ten_documents_fetched_in_a_minute() {
        OAuthClients clients = clients(DocumentUse.FETCH);
        for (int i = 0; i < OAuthClients.FETCHES_PER_MINUTE; i++) {
            assertThat(found(clients, ID + i, REDIRECT)).isEqualTo("invalid_client");
        }

        assertThat(found(clients, ID, REDIRECT)).isEqualTo("temporarily_unavailable");
        assertThat(fetched).hasSize(OAuthClients.FETCHES_PER_MINUTE);
        assertThat(clients.find(ID, REDIRECT, "another network").error().code()).isEqualTo("invalid_client");
        assertThat(found(clients, CLAUDE, CLAUDE_REDIRECT)).isEqualTo(CLAUDE);
        now = now.plus(Duration.ofMinutes(1));
        publish(ID, DOCUMENT, Duration.ZERO);
        assertThat(found(clients, ID, REDIRECT)).isEqualTo(ID);
    }

    @Test
    void a_redirect_of_a_known_program_counts_if_it_is_in_the_document_that_is_here_or_in_the_one_there() {
        String newer = "https://claude.ai/api/mcp/newer_callback";
        publish(
                CLAUDE,
                DOCUMENT.replace(ID, CLAUDE).replace(REDIRECT, newer).replace("Robot", "Claude"),
                Duration.ZERO);

        assertThat(found(clients(DocumentUse.FETCH), CLAUDE, CLAUDE_REDIRECT)).isEqualTo(CLAUDE);
        assertThat(fetched).isEmpty();
        assertThat(found(clients(DocumentUse.FETCH), CLAUDE, newer)).isEqualTo(CLAUDE);
        assertThat(found(clients(DocumentUse.FETCH), CLAUDE, REDIRECT)).isEqualTo("invalid_client");
    }

    @Test
    void the_operator_chooses_whether_documents_are_fetched_or_used_at_all() {
        publish(ID, DOCUMENT, Duration.ZERO);

        assertThat(found(clients(DocumentUse.PINNED), ID, REDIRECT)).isEqualTo("invalid_client");
        assertThat(found(clients(DocumentUse.PINNED), CLAUDE, CLAUDE_REDIRECT)).isEqualTo(CLAUDE);
        assertThat(found(clients(DocumentUse.OFF), CLAUDE, CLAUDE_REDIRECT)).isEqualTo("invalid_client");
        assertThat(fetched).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://robot.example/client.json",
                "https://robot.example",
                "https://robot.example/",
                "https://user@robot.example/client.json",
                "https://robot.example/client.json#part",
                "https://robot.example/a/../client.json",
                "https://robot.example/./client.json",
                "https:robot.example/client.json",
                "https:///client.json",
                "https://robot.example:port/client.json",
                "https://robot example/client.json",
                "https://rob\u00f6t.example/client.json",
                "file:///etc/passwd",
                "svc_client_\u0000"
            })
    void an_id_that_is_no_plain_address_is_never_fetched(String id) {
        assertThat(found(clients(DocumentUse.FETCH), id, REDIRECT)).isEqualTo("invalid_client");
        assertThat(fetched).isEmpty();
    }
}
