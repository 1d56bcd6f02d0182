package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start costs is mostly the classes that it loads. */
class StartTest {
    @TempDir
    private Path folder;

    @Test
    void a_start_loads_no_library_that_only_some_calls_need() throws Exception {
        Path loaded = folder.resolve("loaded.log");
        List<String> options = new ArrayList<>(ServiceClasses.options());
        options.add("-Xlog:class+load:file=" + loaded);

        try (ServiceProcess service = ServiceProcess.with(
                options, folder, ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of()))) {
            service.address();
        }

        assertThat(Files.readAllLines(loaded))
                .anyMatch(line -> line.contains(" org.h2.Driver "))
                .noneMatch(line -> line.contains(" com.webauthn4j.WebAuthnManager "))
                .noneMatch(line -> line.contains(" jdk.internal.net.http.HttpClientImpl "))
                .noneMatch(line -> line.contains(" sun.security.ssl.SSLContextImpl "))
                .noneMatch(line -> line.contains(" jakarta.mail.Session "));
    }
}
