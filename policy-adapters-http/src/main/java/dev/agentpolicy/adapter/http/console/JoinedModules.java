package dev.agentpolicy.adapter.http.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.regex.Pattern.MULTILINE;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Joins the modules of the console that the first view needs into one file, so that a browser asks for it once. Each of them
 * becomes a function that is called in the order of the imports; what it exports is kept under its path, and the other modules
 * read it there. Modules are written plainly for that: they import names, export where they declare, and have no circular
 * imports. {@code lib/html.js} and the libraries it imports stay as they are.
 */
final class JoinedModules {
    private static final String HTML = "lib/html.js";

    /** An import or a re-export at the start of a line, of another module of the console. */
    private static final Pattern DECLARATION =
            Pattern.compile("^(?:import|export)\\b(?:[^;]*?\\bfrom)?\\s*['\"](\\.[^'\"]+)['\"]", MULTILINE);

    private static final Pattern NAMES = Pattern.compile("^import \\{([^}]*)} from '(\\.[^']+)';", MULTILINE);
    private static final Pattern EXPORT =
            Pattern.compile("^export (?=(?:async )?(?:const|function|class) (\\w+))", MULTILINE);
    private static final Pattern ON_DEMAND = Pattern.compile("\\bimport\\('(\\.[^']+)'\\)");
    private static final Pattern LEFT = Pattern.compile("^(?:import|export)\\b", MULTILINE);

    private final SortedMap<String, byte[]> files;
    private final String first;
    private final Set<String> kept = new HashSet<>();
    private final Set<String> joined = new HashSet<>();

    private JoinedModules(SortedMap<String, byte[]> files, String first) {
        this.files = files;
        this.first = first;
    }

    /**
     * Replaces the first module by the joined ones, and takes those out.
     *
     * @return the modules that a browser loads first
     */
    static Set<String> join(SortedMap<String, byte[]> files, String first) {
        JoinedModules modules = new JoinedModules(files, first);
        modules.order(HTML, modules.kept, new ArrayList<>());
        List<String> inOrder = new ArrayList<>();
        modules.order(first, modules.joined, inOrder);
        inOrder.removeAll(modules.kept);
        modules.joined.removeAll(modules.kept);
        modules.join(inOrder);
        Set<String> loaded = new TreeSet<>(modules.kept);
        loaded.add(first);
        return loaded;
    }

    /** Adds a module after those that it imports by declarations, directly and through others. */
    private void order(String module, Set<String> seen, List<String> inOrder) {
        if (!seen.add(module)) {
            return;
        }
        DECLARATION
                .matcher(source(module))
                .results()
                .forEach(declaration -> order(resolved(module, declaration.group(1)), seen, inOrder));
        inOrder.add(module);
    }

    private void join(List<String> inOrder) {
        StringBuilder all = new StringBuilder(
                "import * as html from './" + HTML + "';\nexport const firstView = { '" + HTML + "': html };\n");
        inOrder.forEach(module -> all.append(asFunction(module)));
        files.replaceAll((name, bytes) -> isOnDemand(name) ? onDemand(name).getBytes(UTF_8) : bytes);
        files.keySet().removeAll(inOrder);
        files.put(first, all.toString().getBytes(UTF_8));
    }

    private boolean isOnDemand(String name) {
        return name.endsWith(".js") && !kept.contains(name) && !joined.contains(name);
    }

    private String asFunction(String module) {
        String source = ON_DEMAND
                .matcher(reading(module, true))
                .replaceAll(found -> "import('./" + resolved(module, found.group(1)) + "')");
        List<String> exported =
                EXPORT.matcher(source).results().map(found -> found.group(1)).toList();
        String body = EXPORT.matcher(source).replaceAll("");
        if (LEFT.matcher(body).find()) {
            throw new IllegalStateException("An import or export of " + module + " cannot be joined.");
        }
        return "firstView['" + module + "'] = (() => {\n" + body + "\nreturn { " + String.join(", ", exported)
                + " };\n})();\n";
    }

    private String onDemand(String module) {
        String source = reading(module, false);
        if (source.equals(source(module))) {
            return source;
        }
        String up =
                "../".repeat((int) module.chars().filter(sign -> sign == '/').count());
        return "import { firstView } from './" + up + first + "'; " + source;
    }

    /** The source of a module that takes what it imports of joined modules from their exports. */
    private String reading(String module, boolean isJoined) {
        return NAMES.matcher(source(module)).replaceAll(found -> {
            String from = resolved(module, found.group(2));
            boolean isThere = joined.contains(from) || (isJoined && from.equals(HTML));
            return Matcher.quoteReplacement(
                    isThere
                            ? "const {" + found.group(1).replace(" as ", ": ") + "} = firstView['" + from + "'];"
                            : found.group());
        });
    }

    private static String resolved(String module, String path) {
        return URI.create(module).resolve(path).toString();
    }

    private String source(String module) {
        byte[] source = files.get(module);
        if (source == null) {
            throw new IllegalStateException("The console imports " + module + ", which is missing.");
        }
        return new String(source, UTF_8);
    }
}
