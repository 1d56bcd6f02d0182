package dev.agentpolicy.domain.ips;

import static dev.agentpolicy.domain.sample.SampleValues.readIps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.StandingRule.Effect;
import dev.agentpolicy.domain.ips.StandingRule.Hours;
import dev.agentpolicy.domain.ips.StandingRule.When;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.DayOfWeek;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpsDocumentTest {

    @Test
    void the_document_of_the_contract_is_read_field_by_field() {
        Ips ips = IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow();

        assertThat(ips)
                .isEqualTo(Ips.ofCrypto("0.1", "0.2", "0.35")
                        .tradfi("0.55", "0.65", "0.8")
                        .cashFloor("0.05")
                        .maxDrawdown("0.25")
                        .maxSlippage("0.01")
                        .withAssetAuthority(new AssetAuthority(
                                Level.FULL,
                                Map.of(
                                        new AssetSymbol("BTC"), Level.PROTECT,
                                        new AssetSymbol("DOGE"), Level.MONITOR)))
                        .withStandingRules(List.of(new StandingRule(
                                "no-memecoins",
                                Effect.BLOCK,
                                "Not in this household",
                                new When(
                                        Set.of(Action.BUY),
                                        Set.of(AssetType.CRYPTO),
                                        Set.of(new AssetSymbol("DOGE"), new AssetSymbol("SHIB")),
                                        Usd.of(1000),
                                        new Hours(22, 6, ZoneId.of("America/New_York")),
                                        Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)))))
                        .withTier(2));
    }

    @Test
    void absent_members_restrict_nothing() {
        Ips ips = SampleValues.plainIps();

        assertThat(ips.allowedActions()).containsExactlyInAnyOrder(Action.values());
        assertThat(ips.assetAuthority()).isEqualTo(AssetAuthority.FULL);
        assertThat(ips.standingRules()).isEmpty();
        assertThat(ips.tier()).isNull();
        assertThat(SampleValues.ips(
                        "{\"allowedActions\":null,\"assetAuthority\":null,\"standingRules\":null,\"tier\":null}"))
                .isEqualTo(ips);
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"crypto":null}                                          | crypto must not be null.
            {"crypto":1}                                             | crypto must be an object.
            {"crypto":{"min":0.1,"target":0.2}}                      | crypto.max is missing.
            {"crypto":{"min":"0.1","target":0.2,"max":0.3}}          | crypto.min must be a number.
            {"crypto":{"min":-0.1,"target":0.2,"max":0.3}}           | crypto.min must be a number from 0 to 1.
            {"crypto":{"min":0.1,"target":0.2,"max":1.000001}}       | crypto.max must be a number from 0 to 1.
            {"crypto":{"min":0.1,"target":0.2,"max":0.3000001}}      | crypto.max must have at most 6 decimals.
            {"crypto":{"min":0.21,"target":0.2,"max":0.3}}           | crypto.min must not be above target.
            {"crypto":{"min":0.1,"target":0.31,"max":0.3}}           | crypto.target must not be above max.
            {"crypto":{"min":0.1,"target":0.2,"max":0.3,"mid":0.2}}  | crypto.mid is not a known field.
            {"crypto":{"min":0.1,"min":0.1,"target":0.2,"max":0.3}}  | crypto.min appears more than once.
            {"tradfi":null}                                          | tradfi must not be null.
            {"tradfi":{"min":0.9,"target":0.8,"max":0.95}}           | tradfi.min must not be above target.
            {"cashFloor":null}                                       | cashFloor must not be null.
            {"cashFloor":true}                                       | cashFloor must be a number.
            {"cashFloor":35}                                         | cashFloor must be a number from 0 to 1.
            {"cashFloor":1e-7}                                       | cashFloor must have at most 6 decimals.
            {"cashFloor":0.350001}                                   | cashFloor plus crypto.min plus tradfi.min must be at most 1.
            {"maxDrawdown":25}                                       | maxDrawdown must be a number from 0 to 1.
            {"maxSlippage":1e999}                                    | maxSlippage must be a number from 0 to 1.
            {"allowedActions":"buy"}                                 | allowedActions must be an array.
            {"allowedActions":["hold"]}                              | allowedActions[0] must be buy or sell.
            {"allowedActions":["buy",null]}                          | allowedActions[1] must be buy or sell.
            {"allowedActions":["BUY"]}                               | allowedActions[0] must be buy or sell.
            {"assetAuthority":[]}                                    | assetAuthority must be an object.
            {"assetAuthority":{"default":"none"}}                    | assetAuthority.default must be full, protect or monitor.
            {"assetAuthority":{"assets":{"BTC":"none"}}}             | assetAuthority.assets.BTC must be full, protect or monitor.
            {"assetAuthority":{"assets":{"BTC":null}}}               | assetAuthority.assets.BTC must not be null.
            {"assetAuthority":{"assets":{"B C":"full"}}}             | assetAuthority.assets.B C must be 1 to 32 of A-Z a-z 0-9 . - / _.
            {"assetAuthority":{"assets":{"btc":"full","BTC":"monitor"}}} | assetAuthority.assets lists BTC twice; symbols are compared in upper case.
            {"assetAuthority":{"assets":{"BTC":"full","BTC":"monitor"}}} | assetAuthority.assets.BTC appears more than once.
            {"assetAuthority":{"else":"full"}}                       | assetAuthority.else is not a known field.
            {"standingRules":{}}                                     | standingRules must be an array.
            {"standingRules":["a"]}                                  | standingRules[0] must be an object.
            {"standingRules":[{"effect":"block"}]}                   | standingRules[0].id is missing.
            {"standingRules":[{"id":"","effect":"block"}]}           | standingRules[0].id must have 1 to 64 characters.
            {"standingRules":[{"id":"a"}]}                           | standingRules[0].effect is missing.
            {"standingRules":[{"id":"a","effect":"warn"}]}           | standingRules[0].effect must be block or require_approval.
            {"standingRules":[{"id":"a","effect":"block","reason":1}]} | standingRules[0].reason must be a string.
            {"standingRules":[{"id":"a","effect":"block","reason":"a\\nb"}]} | standingRules[0].reason must not contain control characters or broken Unicode.
            {"standingRules":[{"id":"a","effect":"block"},{"id":"a","effect":"block"}]} | standingRules[1].id must be unique among the standing rules and limits.
            {"limits":{}}                                            | limits must be an array.
            {"limits":[1]}                                           | limits[0] must be an object.
            {"limits":[{"id":"a"}]}                                  | limits[0].kind is missing.
            {"limits":[{"id":"a","kind":"size"}]}                    | limits[0].kind must be position, flow or loss.
            {"limits":[{"kind":"loss","windowDays":1,"max":0.1}]}    | limits[0].id is missing.
            {"limits":[{"id":"a","kind":"position"}]}                | limits[0].max is missing.
            {"limits":[{"id":"a","kind":"position","max":1.1}]}      | limits[0].max must be a number from 0 to 1.
            {"limits":[{"id":"a","kind":"position","max":0.0000001}]} | limits[0].max must have at most 6 decimals.
            {"limits":[{"id":"a","kind":"position","max":0.1,"perAsset":1}]} | limits[0].perAsset must be true or false.
            {"limits":[{"id":"a","kind":"position","max":0.1,"effect":"warn"}]} | limits[0].effect must be block or require_approval.
            {"limits":[{"id":"a","kind":"position","max":0.1,"scope":{"actions":["buy"]}}]} | limits[0].scope.actions is not a known field.
            {"limits":[{"id":"a","kind":"position","max":0.1,"windowDays":1}]} | limits[0].windowDays is not a known field.
            {"limits":[{"id":"a","kind":"flow","maxUsd":1}]}         | limits[0].windowMinutes is missing.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":0,"maxUsd":1}]} | limits[0].windowMinutes must be an integer from 1 to 43200.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":43201,"maxUsd":1}]} | limits[0].windowMinutes must be an integer from 1 to 43200.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":5}]}  | limits[0].maxUsd or maxTrades must be given.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":5,"maxTrades":0}]} | limits[0].maxTrades must be an integer from 1 to 2147483647.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":5,"maxTrades":1,"per":"key"}]} | limits[0].per must be account, agent or asset.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":5,"maxTrades":1,"scope":{"hours":{}}}]} | limits[0].scope.hours is not a known field.
            {"limits":[{"id":"a","kind":"loss","max":0.1}]}          | limits[0].windowDays is missing.
            {"limits":[{"id":"a","kind":"loss","windowDays":31,"max":0.1}]} | limits[0].windowDays must be an integer from 1 to 30.
            {"limits":[{"id":"a","kind":"loss","windowDays":1,"max":0.1},{"id":"a","kind":"position","max":1}]} | limits[1].id must be unique among the standing rules and limits.
            {"standingRules":[{"id":"a","effect":"block"}],"limits":[{"id":"a","kind":"position","max":1}]} | limits[0].id must be unique among the standing rules and limits.
            {"limits":[{"id":"a","kind":"flow","windowMinutes":5,"maxUsd":1},{"id":"b","kind":"flow","windowMinutes":5,"maxTrades":1,"scope":{},"per":"account"}]} | limits[1] has the scope, windowMinutes and per of a limit before it.
            {"standingRules":[{"id":"a","effect":"block","if":{}}]}  | standingRules[0].if is not a known field.
            {"standingRules":[{"id":"a","effect":"block","when":[]}]} | standingRules[0].when must be an object.
            {"standingRules":[{"id":"a","effect":"block","when":{"actions":["hold"]}}]} | standingRules[0].when.actions[0] must be buy or sell.
            {"standingRules":[{"id":"a","effect":"block","when":{"assetTypes":["gold"]}}]} | standingRules[0].when.assetTypes[0] must be crypto or tradfi.
            {"standingRules":[{"id":"a","effect":"block","when":{"symbols":["B C"]}}]} | standingRules[0].when.symbols[0] must be 1 to 32 of A-Z a-z 0-9 . - / _.
            {"standingRules":[{"id":"a","effect":"block","when":{"symbols":"BTC"}}]} | standingRules[0].when.symbols must be an array.
            {"standingRules":[{"id":"a","effect":"block","when":{"amountUsdAbove":-1}}]} | standingRules[0].when.amountUsdAbove must be a number from 0 to 1000000000000.
            {"standingRules":[{"id":"a","effect":"block","when":{"amountUsdAbove":0.000000001}}]} | standingRules[0].when.amountUsdAbove must have at most 8 decimals.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":22,"end":6}}}]} | standingRules[0].when.hours.tz is missing.
            {"standingRules":[{"id":"a","effect":"block"},{"id":"b","effect":"block","when":{"hours":{"start":22,"end":6,"tz":"Mars/Base"}}}]} | standingRules[1].when.hours.tz must be an IANA time zone such as America/New_York.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":22,"end":6,"tz":"+02:00"}}}]} | standingRules[0].when.hours.tz must be an IANA time zone such as America/New_York.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":24,"end":6,"tz":"UTC"}}}]} | standingRules[0].when.hours.start must be an integer from 0 to 23.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":2.5,"end":6,"tz":"UTC"}}}]} | standingRules[0].when.hours.start must be an integer from 0 to 23.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":2,"end":25,"tz":"UTC"}}}]} | standingRules[0].when.hours.end must be an integer from 0 to 24.
            {"standingRules":[{"id":"a","effect":"block","when":{"hours":{"start":2,"end":2,"tz":"UTC"}}}]} | standingRules[0].when.hours.end must differ from start.
            {"standingRules":[{"id":"a","effect":"block","when":{"daysOfWeek":["Sat"]}}]} | standingRules[0].when.daysOfWeek[0] must be MON, TUE, WED, THU, FRI, SAT or SUN.
            {"tier":0}                                               | tier must be an integer from 1 to 5.
            {"tier":6}                                               | tier must be an integer from 1 to 5.
            {"tier":"2"}                                             | tier must be an integer from 1 to 5.
            {"pause":true}                                           | pause is not a known field.
            """)
    void each_problem_names_its_field(String changes, String message) {
        assertThat(readIps(changes).problems()).extracting(Problem::message).containsExactly(message);
    }

    @Test
    void all_missing_fields_are_named_at_once() {
        assertThat(IpsDocument.read(JsonSamples.object("{}")).problems())
                .extracting(Problem::field)
                .containsExactly("crypto", "tradfi", "cashFloor", "maxDrawdown", "maxSlippage");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"cashFloor\":0.35}",
                "{\"cashFloor\":0,\"maxDrawdown\":0,\"maxSlippage\":0}",
                "{\"maxDrawdown\":1,\"maxSlippage\":1.0}",
                "{\"crypto\":{\"min\":0,\"target\":0,\"max\":0}}",
                "{\"crypto\":{\"min\":0.1,\"target\":0.1,\"max\":0.1}}",
                "{\"crypto\":{\"min\":0,\"target\":1,\"max\":1}}",
                "{\"crypto\":{\"min\":1e-6,\"target\":1E-1,\"max\":0.10000000}}",
                "{\"allowedActions\":[]}",
                "{\"allowedActions\":[\"buy\",\"buy\"]}",
                "{\"tier\":5.0}",
                "{\"standingRules\":[{\"id\":\"a\",\"effect\":\"block\",\"when\":{\"hours\":{\"start\":0,\"end\":24,\"tz\":\"UTC\"}}}]}"
            })
    void values_at_the_limits_are_accepted_and_survive_being_signed(String changes) {
        Ips ips = readIps(changes).orElseThrow();

        assertThat(signedAndReadBack(ips).orElseThrow()).isEqualTo(ips);
    }

    @Test
    void the_whole_document_survives_being_signed() {
        Ips ips = IpsDocument.read(JsonSamples.object(SampleValues.WHOLE_IPS)).orElseThrow();

        assertThat(signedAndReadBack(ips).orElseThrow()).isEqualTo(ips);
    }

    @Test
    void equal_statements_are_signed_as_equal_texts_however_they_were_written() {
        Ips one = SampleValues.ips(
                "{\"cashFloor\":5e-2,\"allowedActions\":[\"sell\",\"buy\"],\"assetAuthority\":{\"assets\":{\"eth\":\"full\",\"BTC\":\"monitor\"}}}");
        Ips other = SampleValues.ips(
                "{\"cashFloor\":0.0500,\"allowedActions\":[\"buy\",\"sell\"],\"assetAuthority\":{\"default\":\"full\",\"assets\":{\"btc\":\"monitor\",\"ETH\":\"full\"}}}");

        assertThat(one).isEqualTo(other);
        assertThat(CanonicalForm.write(IpsDocument.toSigned(one)))
                .isEqualTo(CanonicalForm.write(IpsDocument.toSigned(other)));
    }

    @Test
    void a_signed_asset_without_a_level_is_refused() {
        Map<String, Object> members = IpsDocument.toSigned(SampleValues.plainIps());
        members.put("assetAuthority", Map.of("default", "full", "assets", List.of(Map.of("symbol", "BTC"))));

        assertThat(IpsDocument.readSigned(CanonicalForm.read(CanonicalForm.write(members)))
                        .problems())
                .extracting(Problem::message)
                .containsExactly("assetAuthority.assets[0].level is missing.");
    }

    @Test
    void limits_survive_their_signed_form_and_are_absent_from_it_when_there_are_none() {
        Ips ips = SampleValues.ips("""
                {"limits":[
                  {"id":"p","kind":"position","max":0.05,"perAsset":true,"reason":"Spread","scope":{"symbols":["ETH","BTC"]}},
                  {"id":"f","kind":"flow","windowMinutes":1440,"maxUsd":5000.5,"effect":"require_approval"},
                  {"id":"g","kind":"flow","windowMinutes":10,"maxTrades":1,"per":"asset","scope":{"actions":["buy"]}},
                  {"id":"l","kind":"loss","windowDays":1,"max":0.05}]}""");
        Document signed = CanonicalForm.read(CanonicalForm.write(IpsDocument.toSigned(ips)));

        assertThat(IpsDocument.readSigned(signed).orElseThrow()).isEqualTo(ips);
        assertThat(IpsDocument.toSigned(SampleValues.ips("{\"limits\":[]}"))).doesNotContainKey("limits");
        assertThat(SampleValues.ips("{\"limits\":null}")).isEqualTo(SampleValues.plainIps());
        assertThat(ips.names(new AssetSymbol("ETH"))).isTrue();
        assertThat(ips.listedIn(new AssetSymbol("ETH"))).isNull();
    }

    @Test
    void there_are_at_most_fifty_standing_rules_and_five_hundred_assets() {
        assertThat(readIps(rules(50)).isRead()).isTrue();
        assertThat(readIps(rules(51)).problems())
                .containsExactly(new Problem("standingRules", "standingRules must have at most 50 items."));
        assertThat(readIps(assets(500)).isRead()).isTrue();
        assertThat(readIps(assets(501)).problems())
                .containsExactly(
                        new Problem("assetAuthority.assets", "assetAuthority.assets must have at most 500 members."));
    }

    @Test
    void a_band_made_in_code_is_checked_as_well() {
        assertThatThrownBy(() -> band("0.3", "0.2", "0.4")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> band("0", "0", "1.1")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> band("-0.1", "0", "1")).isInstanceOf(IllegalArgumentException.class);
    }

    private static Reading<Ips> signedAndReadBack(Ips ips) {
        return IpsDocument.readSigned(CanonicalForm.read(CanonicalForm.write(IpsDocument.toSigned(ips))));
    }

    private static AllocationBand band(String min, String target, String max) {
        return new AllocationBand(Fraction.of(min), Fraction.of(target), Fraction.of(max));
    }

    private static String rules(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "{\"id\":\"r" + i + "\",\"effect\":\"block\"}")
                .collect(Collectors.joining(",", "{\"standingRules\":[", "]}"));
    }

    private static String assets(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"A" + i + "\":\"protect\"")
                .collect(Collectors.joining(",", "{\"assetAuthority\":{\"assets\":{", "}}}"));
    }
}
