import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints which test classes took longest, by the reports of all modules: what a build should be made faster by. */
final class SlowestTests {
    private static final int SHOWN = 30;
    private static final Pattern SUITE =
            Pattern.compile("<testsuite [^>]*?name=\"([^\"]+)\"[^>]*?time=\"([0-9.,]+)\"", Pattern.DOTALL);

    private record Timed(String name, double seconds) {}

    public static void main(String[] root) throws Exception {
        List<Timed> all = new ArrayList<>();
        try (Stream<Path> modules = Files.list(Path.of(root[0]))) {
            for (Path reports : modules.map(module -> module.resolve("target/surefire-reports"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> files = Files.list(reports)) {
                    for (Path file :
                            files.filter(it -> it.toString().endsWith(".xml")).toList()) {
                        Matcher suite = SUITE.matcher(Files.readString(file));
                        if (suite.find()) {
                            String name =
                                    suite.group(1).substring(suite.group(1).lastIndexOf('.') + 1);
                            all.add(new Timed(
                                    name, Double.parseDouble(suite.group(2).replace(",", ""))));
                        }
                    }
                }
            }
        }
        if (all.isEmpty()) {
            return;
        }
        all.sort(Comparator.comparingDouble(Timed::seconds).reversed());
        System.out.printf(
                "%nThe slowest of %d test classes, which took %.0f s together:%n",
                all.size(), all.stream().mapToDouble(Timed::seconds).sum());
        all.stream().limit(SHOWN).forEach(it -> System.out.printf("%7.1f s  %s%n", it.seconds(), it.name()));
    }
}
