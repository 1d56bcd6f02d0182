package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node is killed again and again while its user accepts: before the order is placed, and after it was filled and before
 * that is recorded. In the end each accepted request was executed once. {@link CrashTest} kills at random.
 */
class KilledNodeTest {
    private static final int KILLS = ExperimentSettings.times("kills", 4, 100);
    private static final int AT_A_TIME = 3;

    private final List<Long> ids = new ArrayList<>();
    private final Map<Long, Seen> answered = new HashMap<>();

    /** Where a kill is to hit. */
    private enum Moment {
        BEFORE_THE_ORDER,
        BEFORE_THE_RECORD
    }

    @Test
    void a_killed_node_leaves_one_execution_of_each_accepted_request(@TempDir Path folder) throws Exception {
        String database = Database.POSTGRES.fresh(folder);
        ProposalClient queue;
        try (ServiceNode node = ServiceNode.start(folder, database)) {
            queue = ProposalClient.of(node.caller());
        }
        for (int kill = 0; kill < KILLS; kill++) {
            try (ServiceProcess process =
                    ServiceProcess.start(folder, ServiceNode.environment(folder, database, Map.of()))) {
                killWhileAccepting(process, queue.at(process.address()), database, Moment.values()[kill % 2]);
            }
        }
        try (ServiceNode node = ServiceNode.start(folder, database)) {
            everythingIsExecutedOnce(queue.at(node.caller().address()), new OrderTable(database));
        }
    }

    private void killWhileAccepting(ServiceProcess process, ProposalClient queue, String database, Moment moment)
            throws Exception {
        List<Long> now = new ArrayList<>();
        for (int i = 0; i < AT_A_TIME; i++) {
            now.add(queue.queued("10"));
        }
        ids.addAll(now);
        try (LockedRows rows = new LockedRows(database, queue.household().userId())) {
            rows.holdBooks();
            List<Thread> users = now.stream().map(id -> accepting(queue, id)).toList();
            rows.untilAccepted(now);
            if (moment == Moment.BEFORE_THE_RECORD) {
                rows.untilOrdering(now);
                rows.holdAccount();
                rows.letBooksGo();
                rows.untilOrdered(now);
            }
            process.kill();
            process.exitCode();
            for (Thread user : users) {
                user.join();
            }
        }
    }

    private Thread accepting(ProposalClient queue, long id) {
        Thread user = new Thread(() -> {
            try {
                Seen seen = queue.accept(id);
                synchronized (answered) {
                    answered.put(id, seen);
                }
            } catch (RuntimeException killed) {
                // No answer. The test checks later whether the call took effect.
            }
        });
        user.start();
        return user;
    }

    private void everythingIsExecutedOnce(ProposalClient queue, OrderTable orders) throws Exception {
        queue.executed(ids);
        int completed = 0;
        for (long id : ids) {
            JsonNode request = queue.request(id);
            boolean isCompleted = request.get("status").textValue().equals("completed");
            completed += isCompleted ? 1 : 0;
            assertThat(orders.filled(id)).describedAs("%s", request).isEqualTo(isCompleted ? 1 : 0);
            assertThat(request.get("execution").isNull())
                    .describedAs("%s", request)
                    .isEqualTo(!isCompleted);
            if (answered.containsKey(id)) {
                assertThat(answered.get(id).ok().json()).isEqualTo(request);
            }
        }
        int unanswered = completed - answered.size();
        System.out.printf(
                "%d kills: %d of %d requests accepted and executed once, %d of them without an answer%n",
                KILLS, completed, ids.size(), unanswered);
        assertThat(unanswered).isGreaterThanOrEqualTo(KILLS * AT_A_TIME);
        assertThat(queue.events("broker.trade_observed").findValuesAsText("serviceRequestId"))
                .doesNotHaveDuplicates()
                .hasSize(completed);
        assertThat(queue.portfolio().findValuesAsText("cash")).containsExactly("" + (10_000 - 10 * completed));
    }
}
