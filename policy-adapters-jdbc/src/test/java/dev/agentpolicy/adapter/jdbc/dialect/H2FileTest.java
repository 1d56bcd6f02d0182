package dev.agentpolicy.adapter.jdbc.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.OnOneStore;
import dev.agentpolicy.adapter.jdbc.TestStores;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.PolicyEvent;
import dev.agentpolicy.domain.port.StoreSamples;
import java.nio.file.Path;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An H2 file is kept as small as what is in it allows, while it is open. */
class H2FileTest extends OnOneStore {
    private static final int DECISIONS = 1_000;

    private final UserId user = StoreSamples.user();

    @TempDir
    Path folder;

    @BeforeEach
    void open() {
        open(TestStores.h2(folder) + ";RETENTION_TIME=0");
    }

    /** Each is a commit of its own, and leaves a part of the file of which its row is soon all that is in use. */
    @Test
    void compaction_moves_live_pages_out_of_old_chunks() {
        AgentKeyId key = mint(user).id();
        for (int i = 0; i < DECISIONS; i++) {
            decide(user, key, true);
        }
        assertThat(chain(user))
                .hasSize(DECISIONS)
                .extracting(PolicyEvent::payload)
                .doesNotContainNull();
        close();

        assertThat(parts()).isLessThan(DECISIONS / 4);
    }

    private long parts() {
        try (MVStore file = new MVStore.Builder()
                .fileName(folder.resolve("new").resolve("policy.mv.db").toString())
                .readOnly()
                .open()) {
            return file.getLayoutMap().keySet().stream()
                    .filter(name -> name.startsWith("chunk."))
                    .count();
        }
    }
}
