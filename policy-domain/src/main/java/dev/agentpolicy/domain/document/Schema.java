package dev.agentpolicy.domain.document;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        return of(maker, List.of(members));
    }

    /** As above, of members that several lists share. */
    @SuppressWarnings("unchecked") // An array of the one type that the list has.
    public static <T> Schema<T> of(Function<Row, T> maker, List<Member<T>> members) {
        return new Schema<>(maker, null, members.toArray((Member<T>[]) new Member<?>[0]));
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
        return new Member<>(name, Presence.REQUIRED, codec, getter, null);
    }

    /** A member that may be absent and is written as null. */
    public static <T, V> Member<T> nullable(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, Presence.NULLABLE, codec, getter, null);
    }

    /** A member that may be absent and is left out when it is null. */
    public static <T, V> Member<T> optional(String name, Codec<V> codec, Function<T, @Nullable V> getter) {
        return new Member<>(name, Presence.OPTIONAL, codec, getter, null);
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
        return optional(name, new Codec<>((fields, any) -> null, codec.writer()), getter);
    }

    /** A value whose members stand among the others. */
    public static <T, V> Member<T> inline(Schema<V> schema, Function<T, V> getter) {
        Codec<V> codec = new Codec<>((fields, any) -> schema.read(fields), schema::write);
        return new Member<>("", Presence.OPTIONAL, codec, getter, schema);
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
            values[i] = members[i].codec.reader().read(fields, members[i].name);
        }
        Row row = new Row(fields, values);
        for (int i = 0; i < values.length; i++) {
            if (members[i].presence == Presence.REQUIRED && values[i] == null) {
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
            member.write(value, out);
        }
    }

    private enum Presence {
        REQUIRED,
        NULLABLE,
        OPTIONAL
    }

    /** A member of documents. */
    @SuppressWarnings("unchecked") // Codec and getter are of one type.
    public static final class Member<T> {
        private final String name;
        private final Presence presence;
        private final Codec<Object> codec;
        private final Function<T, @Nullable Object> getter;
        private final @Nullable Schema<Object> inlined;

        private <V> Member(
                String name,
                Presence presence,
                Codec<V> codec,
                Function<T, @Nullable V> getter,
                @Nullable Schema<V> inlined) {
            this.name = name;
            this.presence = presence;
            this.codec = (Codec<Object>) codec;
            this.getter = (Function<T, @Nullable Object>) getter;
            this.inlined = (Schema<Object>) inlined;
        }

        private void write(T value, Map<String, @Nullable Object> out) {
            Object part = getter.apply(value);
            if (part == null) {
                if (presence != Presence.OPTIONAL) {
                    out.put(name, null);
                }
            } else if (inlined != null) {
                inlined.write(part, out);
            } else {
                // Most members are written as they are. The decision of a validation has 40 of them.
                out.put(
                        name,
                        codec.writer() == Codec.AS_IS ? part : codec.writer().apply(part));
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

        /** Whether a member is there, even if it is wrong. */
        public boolean has(String name) {
            return fields.has(name);
        }

        /** Reports a problem of a member. */
        public void problem(String name, String what) {
            isWrong = true;
            fields.problem(name, what);
        }
    }
}
