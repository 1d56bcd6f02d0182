package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.API;
import static dev.agentpolicy.app.TestHousehold.APP;
import static dev.agentpolicy.app.TestHousehold.trade;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Rotates and revokes keys while they are used, and checks that none works after its user got the answer. */
final class KeyRevocationLoad {
    private static final int WORKING = 5;
    private static final int LATEST = 12;

    private final TestHousehold household;
    private final List<String> nodes;
    private final List<Secret> secrets = new CopyOnWriteArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();

    KeyRevocationLoad(TestHousehold household, List<String> nodes) {
        this.household = household;
        this.nodes = nodes;
        mint(household);
    }

    /** One secret of one key. */
    private static final class Secret {
        private final String agentKeyId;
        private final ApiCaller agent;
        /** Its end is asked for. */
        private volatile boolean isEnding;
        /** Its end was answered. */
        private volatile boolean isOver;

        Secret(JsonNode minted, ApiCaller agent) {
            this.agentKeyId = minted.get("agentKeyId").textValue();
            this.agent = agent;
        }
    }

    /** By one thread only: another key, another secret, or one key less. */
    void change(Random random) {
        TestHousehold here = new TestHousehold(household.user().at(node(random)), household.userId());
        List<Secret> working = secrets.stream().filter(secret -> !secret.isOver).toList();
        if (working.size() < WORKING) {
            mint(here);
            return;
        }
        Secret one = working.get(random.nextInt(working.size()));
        String path = APP + "keys/" + one.agentKeyId;
        one.isEnding = true;
        if (random.nextBoolean()) {
            here.user().delete(path).ok();
        } else {
            add(here, here.user().post(path + "/rotate", "").ok().json());
        }
        one.isOver = true;
    }

    /** Uses one of the latest secrets, which may be over, or end meanwhile. */
    Seen use(Random random) {
        int known = secrets.size();
        Secret secret = secrets.get(known - 1 - random.nextInt(Math.min(known, LATEST)));
        boolean wasOver = secret.isOver;
        ApiCaller agent = secret.agent.at(node(random));
        Seen seen = random.nextInt(4) == 0
                ? agent.get(API + "mandate")
                : agent.post(API + "policy/validate", trade("buy", "SPY", "tradfi", "1"));
        if (wasOver) {
            assertThat(seen.status()).describedAs("after its end: %s", seen).isEqualTo(401);
            refused.incrementAndGet();
        } else if (seen.status() == 401) {
            assertThat(secret.isEnding).describedAs("before its end").isTrue();
        } else {
            seen.ok();
        }
        return seen;
    }

    /** Calls that came after the end of their secret. */
    int refused() {
        return refused.get();
    }

    private void mint(TestHousehold here) {
        add(here, here.mint("live"));
    }

    private void add(TestHousehold here, JsonNode minted) {
        secrets.add(new Secret(minted, here.agent(minted)));
    }

    private String node(Random random) {
        return nodes.get(random.nextInt(nodes.size()));
    }
}
