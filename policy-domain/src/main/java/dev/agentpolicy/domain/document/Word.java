package dev.agentpolicy.domain.document;

import java.util.Optional;

/** A constant of an enum that documents name by a word: its name in lower case, unless the enum says otherwise. */
public interface Word {
    /** The word in documents. */
    default String wireName() {
        return Choices.lowerName((Enum<?>) this);
    }

    /** The constant that a word names. */
    static <E extends Enum<E> & Word> Optional<E> named(Class<E> type, String text) {
        return Optional.ofNullable(Choices.named(text, type.getEnumConstants(), Word::wireName));
    }
}
