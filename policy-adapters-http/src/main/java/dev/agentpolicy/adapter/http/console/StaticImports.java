package dev.agentpolicy.adapter.http.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.MULTILINE;

import java.net.URI;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * The modules that a browser must have before a module runs: those it imports by declarations, directly and through
 * others. What is imported by {@code import()} is not among them.
 */
final class StaticImports {
    /** An import or a re-export at the start of a line, of another module of the console. */
    private static final Pattern DECLARATION =
            Pattern.compile("^(?:import|export)\\b(?:[^;]*?\\bfrom)?\\s*['\"](\\.[^'\"]+)['\"]", MULTILINE);

    private final Map<String, byte[]> files;
    private final SortedSet<String> found = new TreeSet<>();

    private StaticImports(Map<String, byte[]> files) {
        this.files = files;
    }

    /** The paths of a module and of all that it imports, in alphabetical order. */
    static SortedSet<String> of(String module, Map<String, byte[]> files) {
        StaticImports imports = new StaticImports(files);
        imports.add(module);
        return imports.found;
    }

    private void add(String module) {
        byte[] source = files.get(module);
        if (source == null) {
            throw new IllegalStateException("The console imports " + module + ", which is missing.");
        }
        if (found.add(module)) {
            DECLARATION
                    .matcher(new String(source, UTF_8))
                    .results()
                    .forEach(declaration ->
                            add(URI.create(module).resolve(declaration.group(1)).toString()));
        }
    }
}
