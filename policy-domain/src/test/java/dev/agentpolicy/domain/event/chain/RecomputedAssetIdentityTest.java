package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Recomputation takes the resolved asset from the row and checks it against the rest of the chain. */
class RecomputedAssetIdentityTest extends RecomputedChain {

    @Test
    void the_chain_has_assets_from_every_source_but_lists_and_calls_that_are_wrong_about_them() {
        for (String source : new String[] {"held", "directory", "said", "unknown", "pair", "derivative"}) {
            assertThat(first(from(source))).isNotNull();
        }
        assertThat(first(RecomputedAssetIdentityTest::isLie)).isNotNull();
    }

    @Test
    void an_unknown_asset_that_should_have_been_blocked_is_a_difference() {
        assertThat(found(first(from("unknown")), asset("source", "said")))
                .isEqualTo("The asset was recorded as said, but the statement treats unknown assets otherwise.");
        assertThat(found(first(from("said")), asset("source", "unknown"))).contains("recorded as unknown");
    }

    @Test
    void a_trade_in_the_wrong_sleeve_breaks_only_that_rule() {
        PolicyEvent lie = first(RecomputedAssetIdentityTest::isLie);

        assertThat(found(lie, with("heldUsd", "1"))).contains("says what is held of it");
        assertThat(found(lie, with("ipsVersion", 1))).contains("ipsVersion");
        assertThat(found(
                        lie,
                        asset(
                                "assetType",
                                payload(lie).get("trade") instanceof Document trade ? trade.get("assetType") : null)))
                .isNotEmpty();
    }

    @Test
    void an_asset_in_another_sleeve_has_another_verdict() {
        PolicyEvent row = first(it -> from("directory").test(it) && !isLie(it));
        String other = "crypto".equals(assetOf(row).get("assetType")) ? "tradfi" : "crypto";

        assertThat(found(row, asset("assetType", other)))
                .contains("what follows is blocked (1 violation: invalid_payload)");
    }

    @Test
    void a_pair_is_decided_by_what_the_row_says_of_it() {
        PolicyEvent pair = first(from("pair"));

        assertThat(found(pair, asset("quote", "BTC"))).contains("violations");
        assertThat(found(pair, asset("base", "GROVE"))).contains("violations");
        assertThat(found(pair, asset("source", "derivative"))).isNotEmpty();
        assertThat(found(pair, asset("source", "directory"))).contains("is not one this service writes");
        assertThat(found(pair, with("heldUsd", "1"))).contains("says what is held of it");
        assertThat(found(first(from("derivative")), asset("base", null))).contains("is not one this service writes");
    }

    @Test
    void a_pair_that_was_believed_by_an_older_version_is_recomputed_as_it_was_recorded() {
        PolicyEvent believed = first(it -> from("said").test(it) && payload(it).get("serviceRequestId") == null);
        Recomputation recomputation = Recomputation.begin();

        assertThat(differences(recomputation, changed(believed, UNSIGNED::sign, members -> {
                    members.put("asset", changed((Document) members.get("asset"), "symbol", "BTC/EUR"));
                    members.put("trade", changed((Document) members.get("trade"), "assetSymbol", "BTC/EUR"));
                    return members;
                })))
                .isEmpty();
        assertThat(recomputation.assetNotes().count()).isZero();
    }

    @Test
    void a_missing_asset_does_not_hide_a_wrong_sleeve() {
        assertThat(found(first(RecomputedAssetIdentityTest::isLie), members -> {
                    members.remove("asset");
                    return members;
                }))
                .isNotEmpty();
    }

    @Test
    void a_different_directory_is_noted_but_no_difference() {
        Recomputation recomputation = Recomputation.begin();
        PolicyEvent row = first(from("said"));

        assertThat(differences(recomputation, changed(row, UNSIGNED::sign, asset("source", "directory"))))
                .isEmpty();
        assertThat(recomputation.assetNotes().count()).isEqualTo(1);
        assertThat(recomputation.assetNotes().first()).singleElement().satisfies(note -> {
            assertThat(note.seq()).isEqualTo(row.seq());
            assertThat(note.what()).startsWith("GROVE").endsWith("; the directory of this verifier says unknown.");
        });
    }

    private static Predicate<PolicyEvent> from(String source) {
        return row -> decision(row)
                && payload(row).get("asset") instanceof Document asset
                && source.equals(asset.get("source"));
    }

    private static boolean isLie(PolicyEvent row) {
        return decision(row)
                && payload(row).get("trade") instanceof Document trade
                && payload(row).get("asset") instanceof Document asset
                && "agent".equals(payload(row).get("actor"))
                && !String.valueOf(trade.get("assetType")).equals(asset.get("assetType"));
    }

    private static Document assetOf(PolicyEvent row) {
        return (Document) payload(row).get("asset");
    }

    private static UnaryOperator<Map<String, @Nullable Object>> asset(String name, @Nullable Object value) {
        return members -> {
            members.put("asset", changed((Document) members.get("asset"), name, value));
            return members;
        };
    }
}
