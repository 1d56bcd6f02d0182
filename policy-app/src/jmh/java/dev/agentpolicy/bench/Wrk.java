package dev.agentpolicy.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;

/** The load generator: wrk with one thread, and a script that sends prepared calls in turn. */
final class Wrk {
    private static final String RESULT = "RESULT ";
    /** A slow answer is measured; the two seconds that wrk waits by itself would make it a failure. */
    private static final String MAX_WAIT = "30s";

    private final Path script;

    Wrk(Path folder) {
        this.script = folder.resolve("wrk.lua");
        try (InputStream in = Wrk.class.getResourceAsStream("/bench/wrk.lua")) {
            if (in == null) {
                throw new IllegalStateException("The script of wrk is missing.");
            }
            Files.write(script, in.readAllBytes());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * What one run saw.
     *
     * @param perSecond calls answered in a second
     * @param failures calls that were not answered 2xx
     * @param p50 milliseconds
     * @param p99 milliseconds
     * @param micros processor time of the server for each call
     * @param switches changes of threads in the server for each call
     */
    record Result(double perSecond, long failures, double p50, double p99, double micros, double switches) {}

    /** Runs for some seconds; a call that fails ends the measuring. */
    Result run(Program server, Path calls, int connections, int seconds) {
        List<String> command = List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                MAX_WAIT,
                "-s",
                script.toString(),
                server.address(),
                calls.toString());
        Effort before = Effort.of(server.pid());
        String said = said(command);
        Effort effort = Effort.of(server.pid()).since(before);
        int at = said.indexOf(RESULT);
        if (at < 0) {
            throw new IllegalStateException("wrk said: " + said);
        }
        Result result = read(said.substring(at + RESULT.length()), effort);
        if (result.failures > 0) {
            throw new IllegalStateException(result.failures + " calls of " + calls + " failed.");
        }
        return result;
    }

    private static String said(List<String> command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor();
            return said;
        } catch (IOException absent) {
            throw new UncheckedIOException("wrk must be installed.", absent);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static Result read(String numbers, Effort effort) {
        try (Scanner scanner = new Scanner(numbers)) {
            double calls = scanner.nextLong();
            double micros = scanner.nextLong();
            return new Result(
                    calls / micros * 1e6,
                    scanner.nextLong(),
                    scanner.nextLong() / 1e3,
                    scanner.nextLong() / 1e3,
                    effort.micros() / calls,
                    effort.switches() / calls);
        }
    }
}
