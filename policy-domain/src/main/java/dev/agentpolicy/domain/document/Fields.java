package dev.agentpolicy.domain.document;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of one document and collects its problems, at most one for each field.
 *
 * <p>Getters return null for a field that is absent, null or wrong. {@link #finish} returns the problems instead of the
 * value if there are any, so a reader can be written as if every field were right.
 */
public final class Fields {
    /** Problems that are reported for one document. If there are more, the last one says how many fields are wrong. */
    public static final int MAX_PROBLEMS = 8;

    private static final Pattern LINE_BREAK = Pattern.compile("\\r\\n|[\\r\\n]");
    private static final String LINE_SEPARATOR = "\u2028";

    private final Document document;
    private final String path;
    private final Decimals decimals;
    private final Problems problems;
    private final boolean isStored;
    private final Set<String> asked = new HashSet<>();

    private Fields(Document document, String path, Decimals decimals, Problems problems, boolean isStored) {
        this.document = document;
        this.path = path;
        this.decimals = decimals;
        this.problems = problems;
        this.isStored = isStored;
        for (String name : document.repeated()) {
            problem(name, "appears more than once");
        }
    }

    public Fields(Document document, Decimals decimals) {
        this(document, "", decimals, new Problems(), false);
    }

    /**
     * The fields of a document that this service wrote. They are not checked against limits, and others may stand beside
     * them; a field that is missing or of another type means that the store is damaged, and throws
     * {@link IllegalStateException}.
     */
    static Fields stored(Document document) {
        return new Fields(document, "", Decimals.TEXT, new Problems(), true);
    }

    /** The value if there is no problem. A field that was not read is a problem. */
    public <T> Reading<T> finish(Supplier<T> value) {
        refuseUnknown();
        return problems.isEmpty() ? Reading.of(value.get()) : Reading.wrong(problems.toList());
    }

    /** Accepts fields that are not read, where a standard demands it. Repeated ones stay a problem. */
    public void ignoreUnknown() {
        asked.addAll(document.members().keySet());
    }

    /** Whether there is no problem so far. */
    public boolean isRight() {
        return problems.isEmpty();
    }

    /** Whether this is a document of the log, which may hold values that are not accepted any more. */
    public boolean isSigned() {
        return decimals == Decimals.TEXT;
    }

    /** Whether the field is there and not null. */
    public boolean has(String name) {
        return sent(name) != null;
    }

    public @Nullable String text(String name, int minLength, int maxLength) {
        String text = value(name, "must be a string", String.class);
        if (text == null || isStored) {
            return text;
        }
        int length = text.codePointCount(0, text.length());
        return length >= minLength && length <= maxLength
                ? text
                : wrong(name, "must have " + minLength + " to " + maxLength + " characters");
    }

    /** A text for people: like {@link #text}, and without control characters and broken Unicode. */
    public @Nullable String plainText(String name, int minLength, int maxLength) {
        return plain(name, text(name, minLength, maxLength));
    }

    /** As {@link #plainText}, of several lines. The log has no control characters, so a line break becomes U+2028. */
    public @Nullable String plainLines(String name, int minLength, int maxLength) {
        String text = text(name, minLength, maxLength);
        return plain(name, text == null ? null : LINE_BREAK.matcher(text).replaceAll(LINE_SEPARATOR));
    }

    private @Nullable String plain(String name, @Nullable String text) {
        if (text != null && !isStored && !(isSigned() ? PlainText.isPlain(text) : PlainText.isClean(text))) {
            return wrong(name, "must not contain control characters or broken Unicode");
        }
        return text;
    }

    /** A string that a function parses; the function returns null for a string that is wrong. */
    public <T> @Nullable T meaning(String name, String expected, Function<String, @Nullable T> meaning) {
        String text = value(name, "must be a string", String.class);
        T value = text == null ? null : meaning.apply(text);
        return text != null && value == null ? wrong(name, expected) : value;
    }

    /** The constant of an enum that a word names. */
    public <E extends Enum<E>> @Nullable E word(String name, E[] words, Function<E, String> wireName) {
        Object sent = sent(name);
        if (sent == null) {
            return null;
        }
        E word = sent instanceof String text ? Choices.named(text, words, wireName) : null;
        return word == null ? wrong(name, Choices.expected(words, wireName)) : word;
    }

    /** The constant of an enum that a word names. */
    public <E extends Enum<E> & Word> @Nullable E word(String name, Class<E> type) {
        return word(name, type.getEnumConstants(), Word::wireName);
    }

    public @Nullable BigDecimal decimal(String name, BigDecimal min, BigDecimal max, int maxScale) {
        BigDecimal number = decimal(name);
        if (number == null || isStored) {
            return number;
        }
        String complaint = new NumberRange(min, max, maxScale).complaint(number);
        if (complaint != null) {
            return wrong(name, complaint);
        }
        return number.signum() == 0 ? BigDecimal.ZERO : number;
    }

    /** A decimal without limits. */
    @Nullable
    BigDecimal decimal(String name) {
        Object sent = sent(name);
        if (sent == null) {
            return null;
        }
        BigDecimal number = isStored && sent instanceof String text ? new BigDecimal(text) : decimals.read(sent);
        return number == null ? wrong(name, unfit(sent, BigDecimal.class, "must be a number")) : number;
    }

    /** An integer without limits. */
    @Nullable
    Long integer(String name) {
        Object sent = sent(name);
        if (sent instanceof BigDecimal number && NumberRange.LONGS.complaint(number) == null) {
            return number.longValueExact();
        }
        return sent == null ? null : wrong(name, "must be an integer");
    }

    public @Nullable Integer integer(String name, int min, int max) {
        Object sent = sent(name);
        if (sent == null) {
            return null;
        }
        NumberRange range = NumberRange.integers(min, max);
        if (sent instanceof BigDecimal number && range.complaint(number) == null) {
            return number.intValueExact();
        }
        return wrong(name, "must be an integer from " + range.words());
    }

    public @Nullable Boolean truth(String name) {
        return value(name, "must be true or false", Boolean.class);
    }

    /** A nested object, read by a function. Its problems have the path of the object. */
    public <T> @Nullable T object(String name, Function<Fields, @Nullable T> reader) {
        Document nested = document(name);
        return nested == null ? null : nested(nested, path + name + ".", reader);
    }

    /** A nested object, not yet read. */
    public @Nullable Document document(String name) {
        return value(name, "must be an object", Document.class);
    }

    /** The members of a nested object whose names are data, such as asset symbols. */
    public <T> List<T> entries(String name, int max, BiFunction<String, Fields, @Nullable T> reader) {
        List<T> entries = new ArrayList<>();
        object(name, fields -> {
            if (fields.document.members().size() > max) {
                problem(name, "must have at most " + max + " members");
                return fields.ignoreRest();
            }
            fields.document.members().keySet().forEach(member -> add(entries, reader.apply(member, fields)));
            return null;
        });
        return entries;
    }

    /** A list of objects, each read by a function. */
    public <T> List<T> objects(String name, int max, Function<Fields, @Nullable T> reader) {
        List<?> sent = list(name, max);
        List<T> objects = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            String item = path + name + "[" + i + "]";
            if (sent.get(i) instanceof Document nested) {
                add(objects, nested(nested, item + ".", reader));
            } else {
                problem(name + "[" + i + "]", "must be an object");
            }
        }
        return objects;
    }

    /** A list of positive integers. */
    public List<Long> integers(String name, int max) {
        NumberRange range = NumberRange.integers(1, Long.MAX_VALUE);
        List<?> sent = list(name, max);
        List<Long> integers = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            if (sent.get(i) instanceof BigDecimal number && range.complaint(number) == null) {
                integers.add(number.longValueExact());
            } else {
                problem(name + "[" + i + "]", "must be an integer above 0");
            }
        }
        return integers;
    }

    /** A list of strings that a function parses; the function returns null for a string that is wrong. */
    public <T> List<T> texts(String name, int max, String expected, Function<String, @Nullable T> meaning) {
        List<?> sent = list(name, max);
        List<T> texts = new ArrayList<>();
        for (int i = 0; i < sent.size(); i++) {
            T value = sent.get(i) instanceof String text ? meaning.apply(text) : null;
            if (value == null) {
                problem(name + "[" + i + "]", expected);
            }
            add(texts, value);
        }
        return texts;
    }

    /** A list of words that name constants of an enum. */
    public <E extends Enum<E>> List<E> words(String name, int max, E[] words, Function<E, String> wireName) {
        return texts(name, max, Choices.expected(words, wireName), text -> Choices.named(text, words, wireName));
    }

    /** A list of words that name constants of an enum, at most one for each. */
    public <E extends Enum<E> & Word> List<E> words(String name, Class<E> type) {
        E[] words = type.getEnumConstants();
        return words(name, words.length, words, Word::wireName);
    }

    /** Reports fields that are absent or null. */
    public void require(String... names) {
        for (String name : names) {
            asked.add(name);
            if (document.get(name) == null && isUnblamed(name)) {
                boolean isNull = document.members().containsKey(name);
                problem(name, isNull ? "must not be null" : "is missing");
            }
        }
    }

    /** Reports a field that is absent, where null is a value. */
    public void requireMember(String name) {
        asked.add(name);
        if (!document.members().containsKey(name)) {
            problem(name, "is missing");
        }
    }

    /** Reports a problem that is not about the type of a field, such as a minimum above its maximum. */
    public void problem(String name, String what) {
        if (isStored) {
            throw new IllegalStateException("In a stored document, " + path + name + " " + what + ".");
        }
        problems.add(path + name, path + PlainText.shown(name), what);
    }

    /** A required field of a document without problems. */
    public static <T> T present(@Nullable T field) {
        if (field == null) {
            throw new IllegalStateException("A required field is missing.");
        }
        return field;
    }

    private <T> @Nullable T nested(Document nested, String nestedPath, Function<Fields, @Nullable T> reader) {
        Fields fields = new Fields(nested, nestedPath, decimals, problems, isStored);
        T value = reader.apply(fields);
        fields.refuseUnknown();
        return value;
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // The result is always null.
    private <T> @Nullable T ignoreRest() {
        ignoreUnknown();
        return null;
    }

    private void refuseUnknown() {
        if (isStored) {
            return;
        }
        document.members().keySet().stream()
                .filter(name -> !asked.contains(name))
                .forEach(name -> problem(name, "is not a known field"));
    }

    private List<?> list(String name, int max) {
        List<?> sent = value(name, "must be an array", List.class);
        if (sent != null && sent.size() > max) {
            problem(name, "must have at most " + max + " items");
        }
        return sent == null || sent.size() > max ? List.of() : sent;
    }

    private <T> @Nullable T value(String name, String expected, Class<T> type) {
        Object sent = sent(name);
        return sent == null || type.isInstance(sent) ? type.cast(sent) : wrong(name, unfit(sent, type, expected));
    }

    /** The problem of a value of the wrong type: either it cannot be held, or it should have another type. */
    private static String unfit(Object sent, Class<?> type, String expected) {
        return sent instanceof Document.Unreadable value && value.type().equals(type) ? value.reason() : expected;
    }

    private @Nullable Object sent(String name) {
        if (!isStored) {
            asked.add(name);
        }
        return document.get(name);
    }

    @SuppressWarnings("TypeParameterUnusedInFormals") // The result is always null.
    private <T> @Nullable T wrong(String name, String what) {
        problem(name, what);
        return null;
    }

    private boolean isUnblamed(String name) {
        return !problems.has(path + name);
    }

    private static <T> void add(List<T> list, @Nullable T value) {
        if (value != null) {
            list.add(value);
        }
    }

    /**
     * Collects the problems of a document, at most one for each field. Keeps the first {@link Fields#MAX_PROBLEMS} and
     * counts the rest, so that answers and rows of the log do not grow with the number of wrong fields.
     */
    private static final class Problems {
        private final List<Problem> kept = new ArrayList<>(1);
        private final Set<String> fields = new HashSet<>();

        boolean isEmpty() {
            return fields.isEmpty();
        }

        boolean has(String field) {
            return fields.contains(field);
        }

        /** Adds a problem of a field, unless the field has one already. */
        void add(String field, String shown, String what) {
            if (fields.add(field) && kept.size() < MAX_PROBLEMS) {
                kept.add(new Problem(shown, shown + " " + what + "."));
            }
        }

        /** The problems kept. If there are more, the last one ends with the number of wrong fields. */
        List<Problem> toList() {
            if (fields.size() == kept.size()) {
                return List.copyOf(kept);
            }
            List<Problem> counted = new ArrayList<>(kept);
            Problem last = counted.remove(counted.size() - 1);
            counted.add(new Problem(last.field(), last.message() + " In all, " + fields.size() + " fields are wrong."));
            return List.copyOf(counted);
        }
    }

    /**
     * The numbers that a field accepts.
     *
     * @param min the least number
     * @param max the greatest number
     * @param maxScale the most decimals
     */
    record NumberRange(BigDecimal min, BigDecimal max, int maxScale) {
        static final NumberRange LONGS = integers(Long.MIN_VALUE, Long.MAX_VALUE);

        static NumberRange integers(long min, long max) {
            return new NumberRange(BigDecimal.valueOf(min), BigDecimal.valueOf(max), 0);
        }

        /** The problem of a number, or null. Compares magnitudes first, so {@code 1e999} costs no more than 1. */
        @Nullable
        String complaint(BigDecimal number) {
            if (number.compareTo(min) < 0 || number.compareTo(max) > 0) {
                return "must be a number from " + words();
            }
            boolean isTooFine =
                    number.signum() != 0 && number.stripTrailingZeros().scale() > maxScale;
            return isTooFine ? "must have at most " + maxScale + " decimals" : null;
        }

        /** The range in words, such as {@code 0 to 100}. */
        String words() {
            return min.toPlainString() + " to " + max.toPlainString();
        }
    }
}
