package dev.agentpolicy.domain.document;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The words by which documents name the constants of an enum. */
final class Choices {

    private Choices() {}

    /** The constant that a word names, or null. */
    static <E extends Enum<E>> @Nullable E named(String text, E[] words, Function<E, String> wireName) {
        for (E word : words) {
            if (wireName.apply(word).equals(text)) {
                return word;
            }
        }
        return null;
    }

    /** The end of a message about another word: {@code must be a, b or c}. */
    static <E extends Enum<E>> String expected(E[] words, Function<E, String> wireName) {
        List<String> names = Stream.of(words).map(wireName).toList();
        int last = names.size() - 1;
        String listed = last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " or " + names.get(last);
        return "must be " + listed;
    }
}
