package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** One account that many callers use at once, at any of several nodes, and the answers they received. */
final class HotAccount {
    static final BigDecimal CAPPED_AMOUNT = new BigDecimal("0.1");

    private final List<String> nodes;
    private final int steps;
    private final ProposalClient queue;
    private final ApiCaller usdCapped;
    private final ApiCaller aumCapped;
    private final ApiCaller callCapped;
    private final KeyRevocationLoad keys;
    private final AtomicInteger knownVersion = new AtomicInteger(1);
    private final Collection<Seen> decided = new ConcurrentLinkedQueue<>();
    private final Map<Integer, Long> requestsByKey = new ConcurrentHashMap<>();
    private final List<Long> proposed = new CopyOnWriteArrayList<>();
    private final AtomicInteger beyondTheCallCap = new AtomicInteger();

    HotAccount(List<String> nodes, int steps) {
        this.nodes = nodes;
        this.steps = steps;
        this.queue = ProposalClient.of(new ApiCaller(nodes.get(0)));
        BigDecimal half = CAPPED_AMOUNT.multiply(BigDecimal.valueOf(cap()));
        this.usdCapped = agent("{\"dailyUsdCap\":" + half + "}");
        this.aumCapped = agent("{\"aumCapUsd\":" + half + "}");
        this.callCapped = agent("{\"dailyCallCap\":" + cap() + "}");
        this.keys = new KeyRevocationLoad(queue.household(), nodes);
    }

    /** Everybody at once, so many steps each. */
    void work(long seed) {
        List<Consumer<Random>> people = List.of(
                this::validate,
                this::validate,
                random -> propose(usdCapped, random),
                random -> propose(aumCapped, random),
                this::callOften,
                this::proposeAgain,
                this::proposeAgain,
                this::proposeAgain,
                this::accept,
                this::accept,
                this::amend,
                keys::change,
                random -> note(keys.use(random)),
                random -> note(keys.use(random)));
        ConcurrentCalls.calls(people.size(), i -> {
            Random random = new Random(seed + i);
            for (int step = 0; step < steps; step++) {
                people.get(i).accept(random);
            }
            return true;
        });
    }

    ProposalClient queue() {
        return queue;
    }

    /** How many proposals, or calls, each of the capped keys may make; each tries twice as many. */
    int cap() {
        return steps / 2;
    }

    /** Every answer that says where its decision is in the log. */
    Collection<Seen> decided() {
        return decided;
    }

    /** The request each idempotency key became. */
    Map<Integer, Long> requestsByKey() {
        return requestsByKey;
    }

    int beyondTheCallCap() {
        return beyondTheCallCap.get();
    }

    KeyRevocationLoad keys() {
        return keys;
    }

    private void validate(Random random) {
        int known = knownVersion.get();
        String sloppy = trade("buy", "SPY", "tradfi", "1,\"expectedSlippagePct\":1.5");
        Seen seen =
                at(queue.agent(), random).post(API + "policy/validate", sloppy).ok();
        JsonNode decision = seen.json();
        int version = decision.get("ipsVersion").intValue();
        assertThat(version).isGreaterThanOrEqualTo(known);
        assertThat(decision.get("allowed").booleanValue()).isEqualTo(version % 2 == 0);
        note(seen);
    }

    private void propose(ApiCaller capped, Random random) {
        Seen seen = at(capped, random)
                .post(API + "trades/propose", trade("buy", "SPY", "tradfi", CAPPED_AMOUNT.toPlainString()))
                .ok();
        if (seen.json().get("proposed").booleanValue()) {
            proposed.add(seen.json().get("serviceRequestId").longValue());
        }
        note(seen);
    }

    private void callOften(Random random) {
        Seen seen = at(callCapped, random).post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"));
        if (seen.status() == 429) {
            assertThat(seen.text()).contains("daily_call_cap_exceeded");
            beyondTheCallCap.incrementAndGet();
        } else {
            note(seen.ok());
        }
    }

    private void proposeAgain(Random random) {
        int number = 1 + random.nextInt(cap());
        Seen seen = queue.at(node(random)).proposeOnce(number).ok();
        long id = seen.json().get("serviceRequestId").longValue();
        Long before = requestsByKey.put(number, id);
        assertThat(before).isIn(null, id);
        if (!seen.json().get("idempotent").booleanValue()) {
            proposed.add(id);
            note(seen);
        }
    }

    private void accept(Random random) {
        if (!proposed.isEmpty()) {
            long id = proposed.get(random.nextInt(proposed.size()));
            Seen seen = queue.at(node(random)).accept(id);
            assertThat(seen.status()).describedAs(seen.text()).isIn(200, 409);
            assertThat(seen.text()).contains(seen.status() == 200 ? "\"completed\"" : "already_resolved");
        }
    }

    /** Odd versions allow less slippage than even ones. */
    private void amend(Random random) {
        int next = knownVersion.get() + 1;
        String ips = TestHousehold.demo("ips.json");
        String sloppy = ips.replace("\"maxSlippage\": 0.01", "\"maxSlippage\": 0.02");
        Seen seen = at(queue.household().user(), random)
                .put(APP + "ips", next % 2 == 0 ? sloppy : ips)
                .ok();
        assertThat(seen.json().get("ipsVersion").intValue()).isEqualTo(next);
        knownVersion.set(next);
    }

    private void note(Seen seen) {
        if (seen.status() == 200) {
            decided.add(seen);
        }
    }

    private ApiCaller agent(String policy) {
        return queue.household().agent(queue.household().mint("live", "\"validate\",\"propose\"", policy));
    }

    private ApiCaller at(ApiCaller caller, Random random) {
        return caller.at(node(random));
    }

    private String node(Random random) {
        return nodes.get(random.nextInt(nodes.size()));
    }
}
