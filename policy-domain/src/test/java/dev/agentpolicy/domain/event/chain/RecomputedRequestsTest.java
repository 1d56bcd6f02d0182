package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rows of a request, its attestation and its fill must agree. */
class RecomputedRequestsTest extends RecomputedChain {
    private static final List<PolicyEvent> LIFE = chain(SEED, 5_000, 20, UNSIGNED);

    @Test
    void a_fill_must_be_of_an_open_request() {
        assertThat(said(fill(), with("serviceRequestId", 999_999)))
                .isEqualTo("A trade executes the request 999999, which is not open.");
    }

    @Test
    void a_fill_must_be_of_the_trade_that_was_proposed() {
        Document payload = payload(fill());
        String other = "The trade that executes the request " + payload.get("serviceRequestId")
                + " is not the one that was proposed.";
        String type = payload.get("assetType").equals("crypto") ? "tradfi" : "crypto";
        String action = payload.get("action").equals("buy") ? "sell" : "buy";

        assertThat(said(fill(), with("symbol", "XYZ"))).isEqualTo(other);
        assertThat(said(fill(), with("assetType", type))).isEqualTo(other);
        assertThat(said(fill(), with("action", action))).isEqualTo(other);
    }

    @Test
    void a_trade_of_the_user_alone_is_of_no_request() {
        assertThat(said(fill(), with("serviceRequestId", null))).isNull();
    }

    @Test
    void an_attestation_uses_nothing_of_the_day() {
        PolicyEvent row = inLife(it -> isKind(it, "attestation"));
        Document used = (Document) payload(row).get("used");
        String nothing = "An attestation uses neither calls nor USD of the day.";

        assertThat(said(row, with("used", changed(used, "calls", 1)))).isEqualTo(nothing);
        assertThat(said(row, with("used", changed(used, "usd", "1")))).isEqualTo(nothing);
    }

    @Test
    void the_items_of_a_batch_follow_each_other() {
        PolicyEvent row = inLife(it -> isKind(it, "validate-batch")
                && Objects.toString(payload(it).get("batchIndex")).equals("1"));

        assertThat(said(row, with("batchIndex", 2))).isEqualTo("The items of the batch do not follow each other.");
    }

    /** The difference of a row whose payload was changed. */
    private static @Nullable String said(PolicyEvent changed, UnaryOperator<Map<String, @Nullable Object>> change) {
        Recomputation recomputation = Recomputation.begin();
        for (PolicyEvent row : LIFE.subList(0, (int) changed.seq() - 1)) {
            assertThat(recomputation.row(row)).isEmpty();
        }
        String payload =
                CanonicalForm.write(change.apply(new HashMap<>(payload(changed).members())));
        return recomputation
                .row(new PolicyEvent(
                        changed.userId(),
                        changed.seq(),
                        changed.eventId(),
                        changed.kind(),
                        changed.createdAt(),
                        payload,
                        changed.payloadHash(),
                        changed.prevHash(),
                        changed.signingKeyId(),
                        changed.hash(),
                        changed.signature()))
                .map(Recomputation.Difference::what)
                .orElse(null);
    }

    private static PolicyEvent fill() {
        return inLife(row -> row.kind() == EventKind.TRADE_OBSERVED);
    }

    private static PolicyEvent inLife(Predicate<PolicyEvent> wanted) {
        return LIFE.stream().filter(wanted).findFirst().orElseThrow();
    }

    private static boolean isKind(PolicyEvent row, String kind) {
        return decision(row) && payload(row).get("kind").equals(kind);
    }
}
