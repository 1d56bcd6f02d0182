package dev.agentpolicy.domain.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRequestTest {

    @Test
    void every_field_is_read() {
        String sent = """
                {"name":"Rebalancer","keyType":"live","scopes":["read","propose","read"],"expiresInDays":30,
                 "policy":{"dailyCallCap":10,"dailyUsdCap":1000.5,"aumCapUsd":0,
                           "allowedAssets":["btc","SPY"],"allowedAssetTypes":["crypto"]}}""";

        assertThat(KeyRequest.read(JsonSamples.object(sent)).orElseThrow())
                .isEqualTo(new KeyRequest(
                        "Rebalancer",
                        KeyType.LIVE,
                        Set.of(Scope.READ, Scope.PROPOSE),
                        new KeyPolicy(
                                10,
                                Usd.of("1000.5"),
                                Usd.ZERO,
                                Set.of(new AssetSymbol("BTC"), new AssetSymbol("SPY")),
                                Set.of(AssetType.CRYPTO)),
                        30));
    }

    @Test
    void a_key_without_a_policy_has_no_caps() {
        String sent = "{\"name\":\"a\",\"keyType\":\"test\",\"scopes\":[\"read\"]}";
        KeyRequest request = KeyRequest.read(JsonSamples.object(sent)).orElseThrow();

        assertThat(request.policy()).isEqualTo(KeyPolicy.NO_CAPS);
        assertThat(request.expiresInDays()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "keyType":"live","scopes":["read"]                                    | name is missing.
            "name":"","keyType":"live","scopes":["read"]                          | name must have 1 to 100 characters.
            "name":"a","scopes":["read"]                                          | keyType is missing.
            "name":"a","keyType":"prod","scopes":["read"]                         | keyType must be live or test.
            "name":"a","keyType":"live"                                           | scopes is missing.
            "name":"a","keyType":"live","scopes":[]                               | scopes must name at least one scope.
            "name":"a","keyType":"live","scopes":["admin"]                        | scopes[0] must be read, validate or propose.
            "name":"a","keyType":"live","scopes":["read"],"expiresInDays":0       | expiresInDays must be an integer from 1 to 3650.
            "name":"a","keyType":"live","scopes":["read"],"expiresInDays":3651    | expiresInDays must be an integer from 1 to 3650.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"dailyCallCap":1.5} | policy.dailyCallCap must be an integer from 0 to 2147483647.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"dailyCallCap":-1}  | policy.dailyCallCap must be an integer from 0 to 2147483647.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"dailyCallCap":2147483648} | policy.dailyCallCap must be an integer from 0 to 2147483647.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"dailyUsdCap":"5"}  | policy.dailyUsdCap must be a number.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"aumCapUsd":-1}     | policy.aumCapUsd must be a number from 0 to 1000000000000.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"allowedAssets":["?"]} | policy.allowedAssets[0] must be 1 to 32 of A-Z a-z 0-9 . - / _.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"allowedAssetTypes":["gold"]} | policy.allowedAssetTypes[0] must be crypto or tradfi.
            "name":"a","keyType":"live","scopes":["read"],"policy":{"cap":1}      | policy.cap is not a known field.
            """)
    void each_problem_names_its_field(String members, String message) {
        assertThat(KeyRequest.read(JsonSamples.object("{" + members + "}")).problems())
                .extracting(Problem::message)
                .containsExactly(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"dailyCallCap\":0,\"allowedAssets\":[],\"allowedAssetTypes\":[]}",
                "{\"dailyCallCap\":7,\"dailyUsdCap\":1.50,\"aumCapUsd\":1e6,\"allowedAssets\":[\"b\",\"A\"],\"allowedAssetTypes\":[\"tradfi\"]}"
            })
    void caps_are_the_same_after_signing_and_reading(String caps) {
        KeyPolicy policy = SampleValues.policy(caps);
        String signed = CanonicalForm.write(KeyPolicy.SCHEMA.write(policy));

        assertThat(KeyPolicy.SCHEMA.readSigned(CanonicalForm.read(signed))).isEqualTo(policy);
    }

    @Test
    void an_empty_list_of_assets_allows_none() {
        KeyPolicy policy = SampleValues.policy("{\"allowedAssets\":[]}");

        assertThat(policy.mayTrade(new AssetSymbol("BTC"), AssetType.CRYPTO)).isFalse();
        assertThat(KeyPolicy.NO_CAPS.mayTrade(new AssetSymbol("BTC"), AssetType.CRYPTO))
                .isTrue();
    }
}
