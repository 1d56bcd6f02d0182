package dev.agentpolicy.domain.document;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The words by which documents name the constants of an enum. */
final class Choices {

    /** The names of the constants of enums in lower case, by ordinal; kept because every decision is written in them. */
    private static final ClassValue<String[]> LOWER_NAMES = new ClassValue<>() {
        @Override
        protected String[] computeValue(Class<?> type) {
            return Stream.of(type.getEnumConstants())
                    .map(constant -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT))
                    .toArray(String[]::new);
        }
    };

    private Choices() {}

    @SuppressWarnings("EnumOrdinal") // The place in an array made from these very constants.
    static String lowerName(Enum<?> constant) {
        return LOWER_NAMES.get(constant.getDeclaringClass())[constant.ordinal()];
    }

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
