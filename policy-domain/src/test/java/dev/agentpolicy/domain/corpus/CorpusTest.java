package dev.agentpolicy.domain.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.decision.EvaluationContext;
import dev.agentpolicy.domain.decision.Evaluator;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.ips.CanonicalIps;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.CanonicalHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.portfolio.KnownAssets;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.trade.UnknownAssets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the cases of {@code src/test/resources/corpus} through the evaluator; see its README. */
class CorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");

    @TestFactory
    Stream<DynamicContainer> every_case_comes_out_as_expected() throws IOException {
        return files().stream()
                .map(file -> DynamicContainer.dynamicContainer(
                        (String) file.get("title"),
                        documents(file, "cases")
                                .map(it -> DynamicTest.dynamicTest((String) it.get("name"), () -> run(it)))));
    }

    @Test
    void every_rule_is_expected_somewhere() throws IOException {
        Set<String> expected = files().stream()
                .flatMap(file -> documents(file, "cases"))
                .flatMap(it -> documents((Document) it.get("expected"), "violations"))
                .map(violation -> (String) violation.get("rule"))
                .collect(Collectors.toSet());

        assertThat(expected)
                .containsExactlyInAnyOrderElementsOf(
                        EnumSet.allOf(Rule.class).stream().map(Rule::wireName).toList());
    }

    private static void run(Document it) {
        Document expected = (Document) it.get("expected");
        Decision decision = decide(it);

        assertThat(decision.violations().stream().map(CorpusTest::text))
                .containsExactlyElementsOf(
                        documents(expected, "violations").map(CorpusTest::text).toList());
        assertThat(decision.isAllowed()).isEqualTo(expected.get("allowed"));
        assertThat(decision.reason()).isEqualTo(expected.get("reason"));
    }

    private static Decision decide(Document it) {
        CapUsage used = CapUsage.NOTHING;
        for (Document before : documents(it, "proposedBefore").toList()) {
            SentTrade trade = TradePayload.read(before).orElseThrow();
            assertThat(decide(it, trade, used).isAllowed()).isTrue();
            Usd amount = trade.trade().amount();
            Usd managed = trade.trade().isBuy() ? amount : Usd.ZERO;
            used = new CapUsage(
                    used.calls() + 1, used.usd().plus(amount), used.aum().plus(managed));
        }
        Reading<SentTrade> asked = TradePayload.read((Document) it.get("trade"));
        CapUsage before = used;
        return asked.fold(
                trade -> decide(it, trade, before),
                problems -> new Decision(TradePayload.violations(problems), null, null, SampleValues.NOON));
    }

    private static Decision decide(Document it, SentTrade sent, CapUsage used) {
        Document ips = (Document) it.get("ips");
        Portfolio portfolio = portfolio(it);
        KeyPolicy policy = SampleValues.policy((Document) it.get("keyPolicy"))
                .canonical(AssetResolver.ofDirectory(), KeyPolicy.NO_CAPS)
                .orElseThrow();
        Instant now = it.get("now") instanceof String text ? Instant.parse(text) : SampleValues.NOON;
        AssetResolver held = KnownAssets.resolver(portfolio, null, List.of());
        IpsVersion version = ips == null
                ? null
                : new IpsVersion(
                        1,
                        CanonicalIps.of(IpsDocument.read(ips).orElseThrow(), held, null)
                                .orElseThrow(),
                        SampleValues.NOON);
        ResolvedAsset asset = KnownAssets.resolver(portfolio, version, List.of())
                .resolve(sent.trade().asset(), sent.trade().assetType(), sent.symbol())
                .under(version == null ? UnknownAssets.AS_SAID : version.ips().unknownAssets());
        Trade trade = sent.trade().of(asset.symbol());
        return Evaluator.decide(new EvaluationContext(
                trade,
                asset,
                version,
                portfolio == null ? null : portfolio.snapshot().orElse(null),
                portfolio == null ? null : portfolio.held(trade.asset(), trade.assetType()),
                policy,
                used,
                now));
    }

    private static Portfolio portfolio(Document it) {
        Portfolio portfolio = null;
        for (Document sent : documents(it, "holdings").toList()) {
            CustodianHoldings holdings =
                    HoldingsDocument.read("paper", sent, SampleValues.NOON).orElseThrow();
            holdings = CanonicalHoldings.of(holdings, AssetResolver.ofDirectory(), portfolio)
                    .orElseThrow();
            portfolio = portfolio == null
                    ? Portfolio.first(holdings, SampleValues.NOON)
                    : portfolio.with(holdings, SampleValues.NOON);
        }
        return portfolio;
    }

    private static String text(Violation violation) {
        return violation.rule().wireName() + text(violation.limit()) + text(violation.actual());
    }

    private static String text(Document violation) {
        return violation.get("rule")
                + text((BigDecimal) violation.get("limit"))
                + text((BigDecimal) violation.get("actual"));
    }

    private static String text(BigDecimal number) {
        return number == null ? " -" : " " + new Usd(number);
    }

    private static Stream<Document> documents(Document in, String name) {
        return ((List<?>) in.get(name)).stream().map(Document.class::cast);
    }

    private static List<Document> files() throws IOException {
        try (Stream<Path> paths = Files.list(CORPUS)) {
            return paths.filter(path -> path.toString().endsWith(".json"))
                    .sorted()
                    .map(CorpusTest::read)
                    .toList();
        }
    }

    private static Document read(Path path) {
        try {
            return JsonSamples.object(Files.readString(path));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
