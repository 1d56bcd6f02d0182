package dev.agentpolicy.domain.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.RandomSource;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.KeyCheck;
import dev.agentpolicy.domain.usecase.agent.AgentLimits;
import dev.agentpolicy.domain.usecase.agent.AgentUseCases;
import dev.agentpolicy.domain.usecase.agent.Caller;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the sandbox against the tables of docs/reference/sandbox.md. */
class SandboxTableTest {
    /** A Monday, noon in New York. */
    private static final Instant ANY_TIME = Instant.parse("2026-11-23T17:00:00Z");

    private static final Pattern MOMENT = Pattern.compile("`([0-9-]+T[0-9:]+Z)`");
    private static final SettableClock CLOCK = new SettableClock(ANY_TIME);
    private static final Sandbox SANDBOX = new Sandbox(new JdkSigner(Purpose.SANDBOX), CLOCK, new RandomChance());
    private static final ValidateTrade VALIDATE = new ValidateTrade(SANDBOX, KeyCheck.AT_ADMISSION, AgentLimits.NONE);

    /** A row of the table. */
    record TableRow(String rule, String policy, String when, String request, String violations) {}

    static List<TableRow> rows() throws IOException {
        return cells("## How each rule fires")
                .map(cells -> new TableRow(cells[0], plain(cells[1]), cells[2], plain(cells[3]), cells[4]))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void every_row_of_the_table_is_true(TableRow row) {
        Matcher moment = MOMENT.matcher(row.when());
        CLOCK.set(moment.find() ? Instant.parse(moment.group(1)) : ANY_TIME);
        Reading<SentTrade> reading = TradePayload.read(JsonSamples.object(row.request()));
        if (row.rule().equals(Rule.INVALID_PAYLOAD.wireName())) {
            assertThat(reading.problems()).hasSize(1);
            return;
        }

        Decision decision = VALIDATE.one(caller(row.policy()), reading.orElseThrow())
                .toCompletableFuture()
                .join()
                .fold(recorded -> recorded.value().decision(), refused -> {
                    throw new AssertionError("Refused: " + refused);
                });

        assertThat(SampleValues.violations(decision)).isEqualTo(row.violations());
        assertThat(row.violations()).contains(row.rule());
    }

    @Test
    void the_standing_rule_does_not_apply_on_weekdays() {
        CLOCK.set(ANY_TIME);

        assertThat(VALIDATE.one(caller("{}"), SampleValues.sent("buy 1001 SHIB crypto"))
                        .toCompletableFuture()
                        .join()
                        .map(recorded -> recorded.value().decision().isAllowed()))
                .hasToString(Answer.given(true).toString());
    }

    @Test
    void every_rule_is_in_a_table() throws IOException {
        Stream<String> fire = rows().stream().map(TableRow::rule).distinct();
        Stream<String> cannot = cells("## What cannot fire here").map(cells -> cells[0]);

        assertThat(Stream.concat(fire, cannot))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(Rule.values()).map(Rule::wireName).toList());
    }

    /** The rows of the first table after a heading. */
    private static Stream<String[]> cells(String heading) throws IOException {
        List<String> lines = Files.readAllLines(Path.of("../docs/reference/sandbox.md"));
        return lines.subList(lines.indexOf(heading), lines.size()).stream()
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::trim)
                        .toArray(String[]::new));
    }

    private static String plain(String code) {
        return code.replace("`", "");
    }

    /** A new test key. */
    private static Caller caller(String policy) {
        UUID id = UUID.randomUUID();
        AgentKey key = new AgentKey(
                new AgentKeyId(id),
                new UserId(UUID.randomUUID()),
                "Robot",
                KeyType.TEST,
                Set.of(Scope.READ, Scope.VALIDATE),
                SampleValues.policy(policy),
                "0".repeat(64),
                "0000",
                ANY_TIME,
                null,
                null,
                null,
                List.of(),
                null);
        return new Caller(
                key,
                new UserId(id),
                new AgentUseCases(VALIDATE, null, null, null, null, null, null, SANDBOX, true),
                "127.0.0.1");
    }

    private static final class RandomChance implements RandomSource {
        @Override
        public byte[] bytes(int length) {
            return new byte[length];
        }

        @Override
        public UUID uuid() {
            return UUID.randomUUID();
        }
    }
}
