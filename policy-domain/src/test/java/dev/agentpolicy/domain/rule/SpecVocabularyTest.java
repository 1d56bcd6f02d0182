package dev.agentpolicy.domain.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.RateBudget;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code uses the vocabulary of {@code docs/reference/specification.md}. */
class SpecVocabularyTest {
    private static final String SPECIFICATION = read(Path.of("../docs/reference/specification.md"));

    @Test
    void rules_have_the_names_meanings_and_order_of_the_specification() {
        List<String> table = rows("| rule | Meaning |", "|---|---|");

        assertThat(Arrays.stream(Rule.values()).map(rule -> "| " + rule.wireName() + " | " + rule.meaning() + " |"))
                .containsExactlyElementsOf(table);
    }

    @Test
    void event_kinds_are_those_of_the_specification_in_its_order() {
        assertThat(quoted("- Event kinds (values of the `eventType` filter): "))
                .isEqualTo(names(EventKind.values(), EventKind::wireName));
    }

    @Test
    void scopes_key_types_actions_and_sleeves_are_those_of_the_specification() {
        assertThat(quoted("- Scopes: ")).isEqualTo(names(Scope.values(), Scope::wireName));
        assertThat(quoted("| keyType | string | ")).isEqualTo(names(KeyType.values(), KeyType::wireName));
        assertThat(quoted("| action | string | yes | ")).isEqualTo(names(Action.values(), Action::wireName));
        assertThat(quoted("| assetType | string | yes | ")).isEqualTo(names(AssetType.values(), AssetType::wireName));
    }

    @Test
    void the_states_of_a_request_are_those_of_the_specification_and_one_it_does_not_name() {
        assertThat(quoted("ServiceRequest states: a state awaiting attestation, "))
                .isEqualTo(List.of(RequestStatus.COMPLETED.wireName(), RequestStatus.REJECTED.wireName()));
        assertThat(names(RequestStatus.values(), RequestStatus::wireName))
                .containsExactly("pending", "completed", "rejected");
        assertThat(SPECIFICATION).contains("type `" + ServiceRequest.TYPE + "`");
    }

    @Test
    void limits_are_those_of_the_specification() {
        assertThat(SPECIFICATION)
                .contains("| Batch size | at most " + ValidateTrade.MAX_BATCH + " trades |")
                .contains("| Audit page | `limit` 1.." + AuditQuery.MAX_LIMIT + ", default " + AuditQuery.DEFAULT_LIMIT)
                .contains("| Events page | `limit` " + EventQuery.MIN_LIMIT + ".." + EventQuery.MAX_LIMIT + ", default "
                        + EventQuery.DEFAULT_LIMIT)
                .contains("| Idempotency-Key | at most " + IdempotencyKey.MAX_LENGTH + " characters; replay window "
                        + IdempotencyKey.WINDOW.toHours() + " hours")
                .contains("`X-RateLimit-Reset: " + RateBudget.RESET_SECONDS + "`");
    }

    private static <E> List<String> names(E[] values, Function<E, String> wireName) {
        return Arrays.stream(values).map(wireName).toList();
    }

    /** The words in backquotes on the line with a given beginning, up to the end of the sentence. */
    private static List<String> quoted(String beginning) {
        String line = SPECIFICATION
                .lines()
                .filter(it -> it.startsWith(beginning))
                .findFirst()
                .orElseThrow();
        return Pattern.compile("`([^`]+)`")
                .matcher(line.substring(beginning.length()).split("\\. |;")[0])
                .results()
                .map((MatchResult it) -> it.group(1))
                .toList();
    }

    private static List<String> rows(String... head) {
        List<String> lines = SPECIFICATION.lines().toList();
        int at = lines.indexOf(head[0]);
        assertThat(lines.get(at + 1)).isEqualTo(head[1]);
        return lines.stream()
                .skip(at + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .toList();
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
