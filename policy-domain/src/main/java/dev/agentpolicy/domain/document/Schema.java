package dev.agentpolicy.domain.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The members of a type in documents. Each stands here once, with its name, its form and where a value has it; documents
 * are read and written by this list.
 *
 * <pre>{@code
 * Schema.of(
 *         row -> new Hours(row.next(), row.next(), row.next()),
 *         required("start", Codec.integer(0, 23), Hours::start),
 *         required("end", Codec.integer(0, 24), Hours::end),
 *         required("tz", ZONE, Hours::zone))
 * }</pre>
 */
public final class Schema<T> {
    private final Function<Row, T> maker;
    private final Consumer<Row> check;
    private final List<Member<T, ?>> members;

    private Schema(Function<Row, T> maker, Consumer<Row> check, List<Member<T, ?>> members) {
        this.maker = maker;
        this.check = check;
        this.members = members;
    }

    /** @param maker makes the value from its members, which it takes in the order of the list */
    @SafeVarargs
    public static <T> Schema<T> of(Function<Row, T> maker, Member<T, ?>... members) {
        return new Schema<>(maker, row -> {}, List.of(members));
    }

    /**
     * The same members with a check of what holds between them. It takes the members in their order, null for those that
     * are absent or wrong, and reports problems to the row.
     */
    public Schema<T> checked(Consumer<Row> between) {
        return new Schema<>(maker, between, members);
    }

    /** A member that every document has. */
    public static <T, V> Member<T, V> required(String name, Codec<V> codec, Function<T, V> getter) {
        return new Member<>(name, codec, getter, true, false);
    }

    /** A member that may be absent and is written as null. */
    public static <T, V> Member<T, V> nullable(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, codec, getter, false, true);
    }

    /** A member that may be absent and is left out when it is null. */
    public static <T, V> Member<T, V> optional(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, codec, getter, false, false);
    }

    /** A member that follows from others: it is written, and not read. */
    public static <T, V> Member<T, V> derived(String name, Codec<V> codec, Function<T, V> getter) {
        return new Member<>(name, new Codec<>((fields, any) -> null, codec.writer()), getter, false, false);
    }

    /** A list that is left out when it is empty. */
    public static <T, V> Member<T, List<V>> unlessEmpty(
            String name, Codec<List<V>> codec, Function<T, List<V>> getter) {
        return optional(name, codec, value -> {
            List<V> list = getter.apply(value);
            return list.isEmpty() ? null : list;
        });
    }

    /** Reads a whole document. */
    public Reading<T> read(Document document, Decimals decimals) {
        Fields fields = new Fields(document, decimals);
        T value = read(fields);
        return fields.finish(() -> Fields.present(value));
    }

    /** Reads the members among others; null when a required one is absent or wrong. */
    public @Nullable T read(Fields fields) {
        @Nullable Object[] values = new Object[members.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = members.get(i).read(fields);
        }
        boolean isComplete = true;
        for (int i = 0; i < values.length; i++) {
            if (members.get(i).isRequired) {
                fields.require(members.get(i).name);
                isComplete &= values[i] != null;
            }
        }
        Row checked = new Row(fields, values);
        check.accept(checked);
        return isComplete && !checked.isWrong ? maker.apply(new Row(fields, values)) : null;
    }

    /**
     * Reads a signed document as strictly as one that a user sent.
     *
     * @throws IllegalStateException when it has problems
     */
    public T readSigned(Document signed) {
        return read(signed, Decimals.TEXT).orElseThrow();
    }

    /**
     * Reads a document that this service wrote.
     *
     * @throws IllegalStateException when it did not
     */
    public T readStored(Document document) {
        return Fields.present(read(Fields.stored(document)));
    }

    /** The members of a value, as they are signed and stored. */
    public Map<String, @Nullable Object> write(T value) {
        Map<String, @Nullable Object> written = new LinkedHashMap<>();
        members.forEach(member -> member.write(value, written));
        return written;
    }

    /** A member of documents. */
    public static final class Member<T, V> {
        private final String name;
        private final Codec<V> codec;
        private final Function<T, @Nullable V> getter;
        private final boolean isRequired;
        private final boolean isWrittenAsNull;

        private Member(
                String name,
                Codec<V> codec,
                Function<T, @Nullable V> getter,
                boolean isRequired,
                boolean isWrittenAsNull) {
            this.name = name;
            this.codec = codec;
            this.getter = getter;
            this.isRequired = isRequired;
            this.isWrittenAsNull = isWrittenAsNull;
        }

        private @Nullable V read(Fields fields) {
            return codec.reader().read(fields, name);
        }

        private void write(T value, Map<String, @Nullable Object> written) {
            V part = getter.apply(value);
            if (part != null) {
                written.put(name, codec.writer().apply(part));
            } else if (isWrittenAsNull) {
                written.put(name, null);
            }
        }
    }

    /** The values of the members of one document, in the order of the list. */
    public static final class Row {
        private final Fields fields;
        private final @Nullable Object[] values;
        private int next;
        private boolean isWrong;

        private Row(Fields fields, @Nullable Object[] values) {
            this.fields = fields;
            this.values = values;
        }

        /** The value of the next member; null when it is absent. */
        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals", "NullAway"}) // Typed by the order of the list.
        public <V> V next() {
            return (V) values[next++];
        }

        /** The value of the next member, or another one when it is absent. */
        public <V> V nextOr(V other) {
            V value = next();
            return value == null ? other : value;
        }

        /** Reports a problem of a member. */
        public void problem(String name, String what) {
            isWrong = true;
            fields.problem(name, what);
        }
    }
}
