package dev.agentpolicy.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of calls for {@link Wrk}, one a line. */
final class Calls {
    static final String API = "/api/agent/v1/";
    static final String VALIDATE = API + "policy/validate";
    private static final List<String> AMOUNTS = List.of("1000", "1250.5", "2000", "900");

    private Calls() {}

    /** A validate of each key in turn; all of them are allowed. */
    static Path validate(Path file, List<String> keys) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            lines.add("POST " + VALIDATE + " " + keys.get(i)
                    + " {\"action\":\"buy\",\"assetSymbol\":\"SPY\",\"assetType\":\"tradfi\",\"amountUsd\":"
                    + AMOUNTS.get(i % AMOUNTS.size()) + ",\"expectedSlippagePct\":0.25}");
        }
        return write(file, lines);
    }

    /** A read of each key in turn. */
    static Path get(Path file, String path, List<String> keys) {
        return write(
                file, keys.stream().map(key -> "GET " + API + path + " " + key).toList());
    }

    private static Path write(Path file, List<String> lines) {
        try {
            return Files.write(file, lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
