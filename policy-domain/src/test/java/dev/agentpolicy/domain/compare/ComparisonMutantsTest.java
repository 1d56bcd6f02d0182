package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.sample.ExperimentSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The search of {@link ComparisonLaw} notices comparisons that are wrong in one place: a copy of the room with one
 * expression replaced is compiled and searched. Some mutants in every build, all with {@code -Dexperiments=long}.
 */
@Tag("slow")
class ComparisonMutantsTest {
    private static final Path SOURCES = Path.of("src/main/java/dev/agentpolicy/domain/compare");
    private static final String ROOM = "dev.agentpolicy.domain.compare.";
    private static final int SHARE = ExperimentSettings.times("mutants", 3, Integer.MAX_VALUE);
    /** Always the same cases, so that a mutant that was noticed once is noticed in every run. */
    private static final int MAX_CASES = 300;

    private static final int SITUATIONS = 40;

    /**
     * A comparison that is wrong.
     *
     * @param original an expression that the file has once
     */
    private record Mutant(String file, String original, String replacement) {
        @Override
        public String toString() {
            return file + ": " + original + " -> " + replacement;
        }
    }

    private static final List<Mutant> MUTANTS = List.of(
            new Mutant("TradeCone", "!limit.perAsset() && sorts", "sorts"),
            new Mutant("TradeCone", "ips.band(sleeve).min()", "ips.band(sleeve).max()"),
            new Mutant("TradeCone", "ips.band(sleeve).max()", "ips.band(sleeve).target()"),
            new Mutant("TradeCone", "sorts.get(i).sleeve == sleeve", "sorts.get(i).sleeve != sleeve"),
            new Mutant("TradeCone", "isBuy ? List.of(ARRIVING, ASSET) : List.of(ASSET)", "List.of(ASSET)"),
            new Mutant("TradeCone", "max.subtract(BigDecimal.ONE)", "max"),
            new Mutant("TradeCone", "isBelowPeak ? List.of(LOST, PEAK) : List.of(LOST)", "List.of(LOST)"),
            new Mutant(
                    "TradeCone", ".plus(kept, List.of(PEAK))\n                .strict()", ".plus(kept, List.of(PEAK))"),
            new Mutant("TradeCone", "List.of(ARRIVING, CASH, ASSET)", "List.of(CASH, ASSET)"),
            new Mutant("TradeCone", "sum(CASH).plus(ips.cashFloor()", "sum(CASH, LOST).plus(ips.cashFloor()"),
            new Mutant("ComparisonSearch", ".compareTo(most) <= 0", ".compareTo(most) < 0"),
            new Mutant("ComparisonSearch", ".compareTo(above) <= 0", ".compareTo(above) < 0"),
            new Mutant("ComparisonSearch", "level == Level.PROTECT && !trade.isBuy()", "level == Level.PROTECT"),
            new Mutant("ComparisonSearch", "|| !trade.isBuy() && !of.isHeld()\n", "\n"),
            new Mutant("ComparisonSearch", "|| asset.refuses(of.sleeve())\n", "\n"),
            new Mutant("ComparisonSearch", "|| asset.source() == Source.UNKNOWN\n", "\n"),
            new Mutant(
                    "ComparisonSearch",
                    "limit.holds(trade) && (trade.isBuy() || limit.isFlow())",
                    "limit.holds(trade)"),
            new Mutant("ComparisonSearch", "isStricter && moment.isIn(rule.when())", "isStricter"),
            new Mutant("ComparisonSearch", "byItself.max(approved(rule.id(), rule.effect(), moment, key))", "byItself"),
            new Mutant("ComparisonSearch", "sameTrades > maxTrades", "sameTrades >= maxTrades"),
            new Mutant("ComparisonSearch", ", new Peak(true, 0, true));", ");"),
            new Mutant("ComparisonSearch", "(reason.limit.windowDays()) - 1", "(reason.limit.windowDays())"),
            new Mutant("ComparisonSearch", "amounts.most.min(leastOfFlows(amounts.allowing, null))", "amounts.most"),
            new Mutant("ComparisonSearch", "&& ips.maxSlippage().equals(other.ips.maxSlippage())", ""),
            new Mutant("ComparisonSearch", "blocks.isTimed() || allows.isTimed()", "blocks.isTimed()"),
            new Mutant("ComparisonSearch", "rows.add(cone().beyond(blocking.maxDrawdown()).negated());", ""),
            new Mutant("TradeSpace", "sort.add(clock.sorts[hour]);", ""),
            new Mutant("LinearSystem", "tableau.value().compareTo(Ratio.ZERO) > 0", "true"),
            new Mutant("LinearSystem", "compareTo(other.factors.get(i)) < 0", "compareTo(other.factors.get(i)) > 0"),
            new Mutant("PolicyRelation", "return isTighter ? TIGHTER", "return !isTighter ? TIGHTER"));

    static Stream<Mutant> mutants() {
        List<Mutant> mutants = new ArrayList<>(MUTANTS);
        if (SHARE < mutants.size()) {
            Collections.shuffle(mutants, new Random(ExperimentSettings.seed(ComparisonMutantsTest.class)));
        }
        return mutants.stream().limit(SHARE);
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void aComparisonThatIsWrongInOnePlaceIsNoticed(Mutant mutant) throws Exception {
        LongFunction<@Nullable String> law = law(compile(mutant));
        int cases = 0;
        String found = null;
        while (found == null && cases < MAX_CASES) {
            found = notice(law, cases);
            cases++;
        }
        assertThat(found).as("%d cases do not notice %s", cases, mutant).isNotNull();
    }

    /** A mutant that fails is noticed too. */
    private static @Nullable String notice(LongFunction<@Nullable String> law, int seed) {
        try {
            return law.apply(seed);
        } catch (RuntimeException failed) {
            return failed.toString();
        }
    }

    /** The law of a room in which some classes are others. */
    @SuppressWarnings("unchecked") // It implements this interface, which the loaders share.
    private static LongFunction<@Nullable String> law(Map<String, byte[]> changed) throws ReflectiveOperationException {
        Class<?> law = new RoomLoader(changed).loadClass(ComparisonLaw.class.getName());
        return (LongFunction<@Nullable String>) law.getConstructor(int.class).newInstance(SITUATIONS);
    }

    /** Loads a room of its own, and everything else as usual. */
    private static final class RoomLoader extends ClassLoader {
        private final Map<String, byte[]> changed;

        RoomLoader(Map<String, byte[]> changed) {
            super(ComparisonMutantsTest.class.getClassLoader());
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.startsWith(ROOM)) {
                    byte[] code = changed.containsKey(name) ? changed.get(name) : bytes(name);
                    loaded = defineClass(name, code, 0, code.length);
                }
                return loaded == null ? super.loadClass(name, isResolved) : loaded;
            }
        }

        private byte[] bytes(String name) throws ClassNotFoundException {
            try (InputStream code = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (code == null) {
                    throw new ClassNotFoundException(name);
                }
                return code.readAllBytes();
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }

    /** The classes of the mutated file by name. */
    private static Map<String, byte[]> compile(Mutant mutant) throws IOException {
        String source = Files.readString(SOURCES.resolve(mutant.file + ".java"));
        assertThat(source.split(Pattern.quote(mutant.original), -1))
                .as(mutant.toString())
                .hasSize(2);
        String changed = source.replace(mutant.original, mutant.replacement);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        try (StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null)) {
            JavaFileManager manager = new ForwardingJavaFileManager<>(standard) {
                @Override
                public JavaFileObject getJavaFileForOutput(
                        Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                    return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                        @Override
                        public OutputStream openOutputStream() {
                            ByteArrayOutputStream code = new ByteArrayOutputStream();
                            classes.put(name, code);
                            return code;
                        }
                    };
                }
            };
            JavaFileObject file =
                    new SimpleJavaFileObject(
                            URI.create("memory:///" + mutant.file + ".java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return changed;
                        }
                    };
            List<String> options = List.of("-proc:none", "-cp", System.getProperty("java.class.path"));
            assertThat(compiler.getTask(null, manager, null, options, null, List.of(file))
                            .call())
                    .as(mutant.toString())
                    .isTrue();
        }
        Map<String, byte[]> code = new HashMap<>();
        classes.forEach((name, bytes) -> code.put(name, bytes.toByteArray()));
        return code;
    }
}
