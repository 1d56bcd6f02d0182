package dev.agentpolicy.domain.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
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
    private final @Nullable Consumer<Row> check;
    private final Member<T>[] members;

    private Schema(Function<Row, T> maker, @Nullable Consumer<Row> check, Member<T>[] members) {
        this.maker = maker;
        this.check = check;
        this.members = members;
    }

    /**
     * Creates a list of members.
     *
     * @param maker makes the value from its members, which it takes in the order of the list
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // The copy is only read.
    public static <T> Schema<T> of(Function<Row, T> maker, Member<T>... members) {
        return new Schema<>(maker, null, members.clone());
    }

    /**
     * The same members with a check of what holds between them. It takes the members in their order, null for those that
     * are absent or wrong, and reports problems to the row.
     */
    public Schema<T> checked(Consumer<Row> between) {
        return new Schema<>(maker, between, members);
    }

    /** A member that every document has. */
    public static <T, V> Member<T> required(String name, Codec<V> codec, Function<T, V> getter) {
        return new Member<>(name, true, fields -> codec.reader().read(fields, name), (value, out) -> {
            out.put(name, codec.writer().apply(getter.apply(value)));
        });
    }

    /** A member that may be absent and is written as null. */
    public static <T, V> Member<T> nullable(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, false, fields -> codec.reader().read(fields, name), (value, out) -> {
            V part = getter.apply(value);
            out.put(name, part == null ? null : codec.writer().apply(part));
        });
    }

    /** A member that may be absent and is left out when it is null. */
    public static <T, V> Member<T> optional(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, false, fields -> codec.reader().read(fields, name), (value, out) -> {
            V part = getter.apply(value);
            if (part != null) {
                out.put(name, codec.writer().apply(part));
            }
        });
    }

    /** A list that is left out when it is empty. */
    public static <T, V> Member<T> unlessEmpty(String name, Codec<List<V>> codec, Function<T, List<V>> getter) {
        return optional(name, codec, value -> {
            List<V> list = getter.apply(value);
            return list.isEmpty() ? null : list;
        });
    }

    /** A member that follows from others: it is written, and not read. Stands behind those that are read. */
    public static <T, V> Member<T> derived(String name, Codec<V> codec, Function<T, V> getter) {
        return new Member<>(name, false, fields -> null, required(name, codec, getter).writer);
    }

    /** A value whose members stand among the others. */
    public static <T, V> Member<T> inline(Schema<V> schema, Function<T, V> getter) {
        return new Member<>("", false, schema::read, (value, out) -> schema.write(getter.apply(value), out));
    }

    /** Reads a whole document. */
    public Reading<T> read(Document document, Decimals decimals) {
        Fields fields = new Fields(document, decimals);
        T value = read(fields);
        return fields.finish(() -> Fields.present(value));
    }

    /** Reads the members among others; null when a required one is absent or wrong. */
    public @Nullable T read(Fields fields) {
        @Nullable Object[] values = new Object[members.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = members[i].reader.apply(fields);
        }
        Row row = new Row(fields, values);
        for (int i = 0; i < values.length; i++) {
            if (members[i].isRequired && values[i] == null) {
                fields.require(members[i].name);
                row.isWrong = true;
            }
        }
        if (check != null) {
            check.accept(row);
            row.next = 0;
        }
        return row.isWrong ? null : maker.apply(row);
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

    /**
     * Reads a document that this service wrote, with no member more or less.
     *
     * @throws IllegalStateException when it did not
     */
    public T readWhole(Document document) {
        T read = readStored(document);
        Set<String> names = write(read).keySet();
        if (!document.members().keySet().equals(names)) {
            throw new IllegalStateException(
                    "The members are " + document.members().keySet() + ", not " + names + ".");
        }
        return read;
    }

    /** The members of a value, as they are signed and stored. */
    public Map<String, @Nullable Object> write(T value) {
        Map<String, @Nullable Object> written = new LinkedHashMap<>(2 * members.length);
        write(value, written);
        return written;
    }

    private void write(T value, Map<String, @Nullable Object> out) {
        for (Member<T> member : members) {
            member.writer.accept(value, out);
        }
    }

    /** A member of documents. */
    public static final class Member<T> {
        private final String name;
        private final boolean isRequired;
        private final Function<Fields, @Nullable Object> reader;
        private final BiConsumer<T, Map<String, @Nullable Object>> writer;

        private Member(
                String name,
                boolean isRequired,
                Function<Fields, @Nullable Object> reader,
                BiConsumer<T, Map<String, @Nullable Object>> writer) {
            this.name = name;
            this.isRequired = isRequired;
            this.reader = reader;
            this.writer = writer;
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
