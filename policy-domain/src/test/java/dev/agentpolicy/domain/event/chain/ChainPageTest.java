package dev.agentpolicy.domain.event.chain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.TestJson;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pages are read from JSON, and a verifier made from a manifest checks whole chains. */
class ChainPageTest {
    private static final UserId USER = UserId.of("7c9e6679-7425-40de-944b-e07fc1f90ae7");
    private static final String ANCHOR_KEY = "FVV5umTuau890q59V-4Ga_R6qWb7ON_ivJc4EjvCwTM";
    private static final String FIRST_KEY = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";
    private static final String MANIFEST = TestJson.file("vectors/attacks/genuine/signing-keys.json");
    private static final Document JSON =
            Document.parse(TestJson.file("vectors/attacks/genuine/events.json")).orElseThrow();
    private static final ChainPage PAGE = ChainPage.read(JSON).orElseThrow();
    private static final KnownKeys PINNED =
            KnownKeys.NONE.withAnchor(ANCHOR_KEY).withFirst(FIRST_KEY);

    @Test
    void a_page_has_its_rows_and_its_head() {
        assertThat(PAGE.rows()).extracting(PolicyEvent::seq).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(PAGE.head()).extracting(SignedHead::seq).isEqualTo(5L);
        assertThat(PAGE.nextCursor()).isNull();
        assertThat(ChainPage.parse(TestJson.file("vectors/erased/events.json"))
                        .orElseThrow()
                        .erasures())
                .isNotEmpty();
    }

    @Test
    void a_problem_of_a_row_names_its_index() {
        List<Object> rows = List.of(((List<?>) JSON.get("events")).get(0), Document.of(Map.of("v", "1")));

        assertThat(ChainPage.read(with("events", rows)).problems())
                .first()
                .satisfies(problem -> assertThat(problem.field()).startsWith("events[1]."))
                .satisfies(problem -> assertThat(problem.message()).startsWith("events[1]."));
        assertThat(problems(with("events", List.of(1)))).containsExactly("events[0] must be an object.");
        assertThat(problems(with("events", "none"))).containsExactly("events must be an array.");
        assertThat(problems(with("head", 1))).containsExactly("head must be an object.");
        for (Object cursor : List.of("", false, List.of(), Document.of(Map.of()))) {
            assertThat(problems(with("nextCursor", cursor)))
                    .containsExactly("nextCursor must be null or a text that is not empty.");
        }
        assertThat(problems(new Document(JSON.members(), Set.of("head"))))
                .containsExactly("head appears more than once.");
        assertThat(ChainPage.parse("{").isRead()).isFalse();
    }

    @Test
    void a_whole_chain_is_intact_on_one_page_or_on_several() {
        ChainPage first = new ChainPage(PAGE.rows().subList(0, 2), List.of(), null, "next");
        ChainPage second = new ChainPage(PAGE.rows().subList(2, 5), List.of(), PAGE.head(), null);

        assertThat(verifier(PINNED).whole(USER, PAGE))
                .isEqualTo(verifier(PINNED).whole(USER, first, second));
        assertThat(verifier(PINNED).whole(USER, PAGE).isIntact()).isTrue();
        assertThat(verifier(KnownKeys.NONE).whole(USER, PAGE).isIntact()).isTrue();
    }

    @Test
    void a_chain_that_is_cut_off_or_has_no_head_is_not_whole() {
        List<PolicyEvent> fewer = PAGE.rows().subList(0, 4);

        assertThat(verifier(PINNED).whole(USER, new ChainPage(fewer, List.of(), PAGE.head(), null)))
                .isEqualTo(new ChainVerdict.Broken(5, "row 5 is missing, the signed head names row 5"));
        assertThat(verifier(PINNED).whole(USER, new ChainPage(fewer, List.of(), null, null)))
                .isEqualTo(new ChainVerdict.Broken(5, "There is no signed head, so later rows may be missing."));
        assertThat(verifier(PINNED).whole(USER).isIntact()).isFalse();
    }

    @Test
    void a_chain_is_not_whole_when_the_head_of_an_earlier_page_names_more_rows() {
        ChainPage first = new ChainPage(PAGE.rows().subList(0, 2), List.of(), PAGE.head(), "next");
        ChainPage cut = new ChainPage(PAGE.rows().subList(2, 4), List.of(), null, null);
        ChainPage headless = new ChainPage(PAGE.rows().subList(2, 5), List.of(), null, null);

        assertThat(verifier(PINNED).whole(USER, first, cut))
                .isEqualTo(new ChainVerdict.Broken(5, "row 5 is missing, the signed head names row 5"));
        assertThat(verifier(PINNED).whole(USER, first, headless))
                .isEqualTo(new ChainVerdict.Broken(6, "There is no signed head, so later rows may be missing."));
    }

    @Test
    void a_chain_of_another_user_or_another_first_key_is_broken() {
        UserId other = UserId.of("00000000-0000-4000-8000-000000000000");

        assertThat(verifier(PINNED).whole(other, PAGE))
                .isEqualTo(new ChainVerdict.Broken(1, "The row belongs to another user."));
        assertThat(verifier(PINNED.withFirst(ANCHOR_KEY)).whole(USER, PAGE))
                .isEqualTo(new ChainVerdict.Broken(1, "The row is signed by another key than the chain expects."));
    }

    @Test
    void a_manifest_that_the_pinned_key_did_not_sign_makes_no_verifier() {
        assertThat(ChainVerifier.of(MANIFEST, KnownKeys.NONE.withAnchor(FIRST_KEY))
                        .problems())
                .extracting(Problem::message)
                .containsExactly("The manifest is signed by another key than the anchor key that is known.");
        assertThat(ChainVerifier.of("{}", KnownKeys.NONE).isRead()).isFalse();
        assertThat(ChainVerifier.of("[]", KnownKeys.NONE).problems())
                .extracting(Problem::message)
                .containsExactly("The text must be a JSON object.");
    }

    private static ChainVerifier verifier(KnownKeys known) {
        return ChainVerifier.of(MANIFEST, known).orElseThrow();
    }

    private static Document with(String name, Object value) {
        Map<String, Object> members = new LinkedHashMap<>(JSON.members());
        members.put(name, value);
        return Document.of(members);
    }

    private static List<String> problems(Document page) {
        Reading<ChainPage> reading = ChainPage.read(page);
        return reading.problems().stream().map(Problem::message).toList();
    }
}
