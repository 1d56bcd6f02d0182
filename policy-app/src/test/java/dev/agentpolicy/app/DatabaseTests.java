package dev.agentpolicy.app;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;

/** Tests of one running node, the same on every database. */
abstract class DatabaseTests {
    @Parameter
    Database database;

    Path folder;
    String url;
    ServiceNode node;

    @BeforeParameterizedClassInvocation(injectArguments = false)
    void start(@TempDir Path emptyFolder) {
        folder = emptyFolder;
        url = database.fresh(folder);
        node = ServiceNode.start(folder, url);
    }

    @AfterParameterizedClassInvocation(injectArguments = false)
    void stop() {
        node.close();
    }
}
