package dev.agentpolicy.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyRequest;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.page.AuditQuery;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.portfolio.HoldingsDocument;
import dev.agentpolicy.domain.request.IdempotencyKey;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.TradePayload;
import dev.agentpolicy.domain.usage.UsageReport;
import dev.agentpolicy.domain.usecase.agent.ValidateTrade;
import dev.agentpolicy.domain.usecase.request.ReadRequests;
import dev.agentpolicy.domain.usecase.signin.Login;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** The description uses the words and the limits of the domain. */
class OpenApiVocabularyTest {
    private static final JsonNode COMPONENTS = OpenApiDocument.load().root().path("components");

    @ParameterizedTest
    @MethodSource
    void the_words_are_those_of_the_domain(String place, List<String> words) {
        assertThat(COMPONENTS.at(place).path("enum").valueStream().map(JsonNode::asString))
                .containsExactlyElementsOf(words);
    }

    static Stream<Arguments> the_words_are_those_of_the_domain() {
        return Stream.of(
                Arguments.of("/schemas/Rule", words(Rule.values(), Rule::wireName)),
                Arguments.of("/schemas/EventType", words(EventKind.values(), EventKind::wireName)),
                Arguments.of("/schemas/Action", words(Action.values(), Action::wireName)),
                Arguments.of("/schemas/AssetType", words(AssetType.values(), AssetType::wireName)),
                Arguments.of("/schemas/Scope", words(Scope.values(), Scope::wireName)),
                Arguments.of("/schemas/KeyType", words(KeyType.values(), KeyType::wireName)),
                Arguments.of(
                        "/schemas/AuthorityLevel",
                        words(AssetAuthority.Level.values(), AssetAuthority.Level::wireName)),
                Arguments.of(
                        "/schemas/AuditRequest/properties/status",
                        words(ServiceRequest.RequestStatus.values(), ServiceRequest.RequestStatus::wireName)),
                Arguments.of(
                        "/schemas/ServiceRequest/properties/status",
                        words(ServiceRequest.RequestStatus.values(), ServiceRequest.RequestStatus::wireName)),
                Arguments.of(
                        "/parameters/RequestStatus/schema",
                        words(ServiceRequest.RequestStatus.values(), ServiceRequest.RequestStatus::wireName)),
                Arguments.of(
                        "/parameters/EventOrder/schema",
                        words(EventQuery.Direction.values(), EventQuery.Direction::wireName)));
    }

    @ParameterizedTest
    @MethodSource
    void the_limits_are_those_of_the_domain(String place, Number limit) {
        assertThat(COMPONENTS.at(place).decimalValue()).isEqualByComparingTo(limit.toString());
    }

    static Stream<Arguments> the_limits_are_those_of_the_domain() {
        return Stream.of(
                Arguments.of("/schemas/AssetSymbol/maxLength", AssetSymbol.MAX_LENGTH),
                Arguments.of("/schemas/TradePayload/properties/amountUsd/maximum", TradePayload.MAX_AMOUNT_USD),
                Arguments.of(
                        "/schemas/TradePayload/properties/expectedSlippagePct/maximum", TradePayload.MAX_SLIPPAGE_PCT),
                Arguments.of("/schemas/ProposeRequest/properties/amountUsd/maximum", TradePayload.MAX_AMOUNT_USD),
                Arguments.of("/schemas/ProposeRequest/properties/rationale/maxLength", Proposal.MAX_RATIONALE),
                Arguments.of("/schemas/BatchValidateRequest/properties/trades/maxItems", ValidateTrade.MAX_BATCH),
                Arguments.of("/schemas/AccessContext/properties/amountUsd/maximum", TradePayload.MAX_AMOUNT_USD),
                Arguments.of(
                        "/schemas/AccessContext/properties/expectedSlippagePct/maximum", TradePayload.MAX_SLIPPAGE_PCT),
                Arguments.of("/schemas/AccessEvaluations/properties/evaluations/maxItems", ValidateTrade.MAX_BATCH),
                Arguments.of("/schemas/AccessDecisions/properties/evaluations/maxItems", ValidateTrade.MAX_BATCH),
                Arguments.of("/parameters/IdempotencyKey/schema/maxLength", IdempotencyKey.MAX_LENGTH),
                Arguments.of("/parameters/AuditLimit/schema/maximum", AuditQuery.MAX_LIMIT),
                Arguments.of("/parameters/AuditLimit/schema/default", AuditQuery.DEFAULT_LIMIT),
                Arguments.of("/parameters/EventLimit/schema/maximum", EventQuery.MAX_LIMIT),
                Arguments.of("/parameters/EventLimit/schema/default", EventQuery.DEFAULT_LIMIT),
                Arguments.of("/parameters/UsageDays/schema/maximum", UsageReport.MAX_DAYS),
                Arguments.of("/parameters/UsageDays/schema/default", UsageReport.DEFAULT_DAYS),
                Arguments.of("/schemas/UsageResponse/properties/recent/maxItems", UsageReport.RECENT),
                Arguments.of("/schemas/NewUser/properties/password/minLength", Login.MIN_PASSWORD),
                Arguments.of("/schemas/NewUser/properties/password/maxLength", Login.MAX_PASSWORD),
                Arguments.of("/schemas/KeyInput/properties/name/maxLength", KeyRequest.MAX_NAME),
                Arguments.of("/schemas/KeyInput/properties/expiresInDays/maximum", KeyRequest.MAX_DAYS),
                Arguments.of("/schemas/CustodianInput/properties/positions/maxItems", HoldingsDocument.MAX_POSITIONS),
                Arguments.of("/schemas/IpsDocument/properties/standingRules/maxItems", IpsDocument.MAX_STANDING_RULES),
                Arguments.of(
                        "/schemas/IpsDocument/properties/assetAuthority/properties/assets/maxProperties",
                        IpsDocument.MAX_ASSETS),
                Arguments.of("/parameters/RequestLimit/schema/maximum", ReadRequests.MAX_LIMIT),
                Arguments.of("/parameters/RequestLimit/schema/default", ReadRequests.DEFAULT_LIMIT));
    }

    private static <E> List<String> words(E[] values, Function<E, String> wireName) {
        return Arrays.stream(values).map(wireName).toList();
    }
}
