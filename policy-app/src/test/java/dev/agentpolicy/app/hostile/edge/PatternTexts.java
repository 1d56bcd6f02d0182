package dev.agentpolicy.app.hostile.edge;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Texts at the edges of a regular expression, on both sides of each: of its characters and of its counts. The first one
 * matches. It may have anchors, groups, choices, classes of ranges, literals, and counts.
 */
final class PatternTexts {
    private static final int LAST = 0x10FFFF;

    private final String pattern;
    private final int many;
    private int at;

    private PatternTexts(String pattern, int many) {
        this.pattern = pattern;
        this.many = many;
    }

    /** @param many how often something is repeated that has no upper limit */
    static Set<String> of(String pattern, int many) {
        return new LinkedHashSet<>(new PatternTexts(pattern, many).choices());
    }

    private List<String> choices() {
        List<String> texts = new ArrayList<>(sequence());
        while (is('|')) {
            at++;
            texts.addAll(sequence());
        }
        return texts;
    }

    /** Each part at each of its edges, while the others are plain. */
    private List<String> sequence() {
        List<List<String>> parts = new ArrayList<>();
        while (at < pattern.length() && !is('|') && !is(')')) {
            parts.add(counted(atom()));
        }
        List<String> texts = new ArrayList<>(List.of(plain(parts)));
        for (int i = 0; i < parts.size(); i++) {
            for (String text : parts.get(i)) {
                texts.add(plain(parts.subList(0, i)) + text + plain(parts.subList(i + 1, parts.size())));
            }
        }
        return texts;
    }

    private static String plain(List<List<String>> parts) {
        return String.join("", parts.stream().map(part -> part.get(0)).toList());
    }

    private List<String> atom() {
        char c = next();
        switch (c) {
            case '^', '$':
                return List.of("");
            case '(':
                List<String> texts = choices();
                at++;
                return texts;
            case '[':
                return characters();
            default:
                return List.of(Character.toString(c == '\\' ? escaped() : c));
        }
    }

    private char next() {
        return pattern.charAt(at++);
    }

    private boolean is(char c) {
        return at < pattern.length() && pattern.charAt(at) == c;
    }

    private int escaped() {
        char c = next();
        if (c != 'u') {
            return c;
        }
        at += 4;
        return Integer.parseInt(pattern, at - 4, at, 16);
    }

    /** What stands at both sides of both ends of each range; those that belong to the class first. */
    private List<String> characters() {
        boolean isNegated = is('^');
        at += isNegated ? 1 : 0;
        Set<Integer> within = new LinkedHashSet<>();
        Set<Integer> around = new LinkedHashSet<>();
        while (!is(']')) {
            int first = oneOfClass();
            boolean isRange = is('-') && pattern.charAt(at + 1) != ']';
            at += isRange ? 1 : 0;
            int last = isRange ? oneOfClass() : first;
            within.addAll(List.of(first, last));
            around.addAll(List.of(first - 1, last + 1));
        }
        at++;
        around.addAll(List.of((int) ' ', (int) '~', 0xE9, 0xFFFD, 0x1F511, LAST));
        return isNegated ? texts(List.of((int) 'x'), around, within) : texts(within, around);
    }

    private int oneOfClass() {
        char c = next();
        return c == '\\' ? escaped() : c;
    }

    @SafeVarargs
    private static List<String> texts(Collection<Integer>... characters) {
        Set<String> texts = new LinkedHashSet<>();
        for (Collection<Integer> some : characters) {
            some.stream()
                    .filter(c -> c >= 0 && c <= LAST && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE))
                    .forEach(c -> texts.add(Character.toString(c)));
        }
        return List.copyOf(texts);
    }

    /** Each at the least count, and the first one at every edge of the counts. */
    private List<String> counted(List<String> atom) {
        int least = 1;
        int most = 1;
        if (is('*') || is('+') || is('?')) {
            char count = next();
            least = count == '+' ? 1 : 0;
            most = count == '?' ? 1 : many;
        } else if (is('{')) {
            String[] counts =
                    pattern.substring(at + 1, pattern.indexOf('}', at)).split(",", -1);
            at = pattern.indexOf('}', at) + 1;
            least = Integer.parseInt(counts[0]);
            most = counts.length == 1 ? least : counts[1].isEmpty() ? many : Integer.parseInt(counts[1]);
        } else {
            return atom;
        }
        List<String> texts = new ArrayList<>(List.of(atom.get(0).repeat(least)));
        for (int count : List.of(Math.max(least - 1, 0), least + 1, Math.max(most - 1, 0), most, most + 1)) {
            texts.add(atom.get(0).repeat(count));
        }
        for (String text : atom) {
            texts.add(text.repeat(Math.max(least, 1)));
        }
        return texts;
    }
}
