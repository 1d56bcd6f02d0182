package dev.agentpolicy.adapter.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** H2 in a file keeps the contracts. */
class H2ContractsTest extends StoreContracts {
    @TempDir
    static Path folder;

    @Override
    String url() {
        return TestStores.h2(folder);
    }
}
