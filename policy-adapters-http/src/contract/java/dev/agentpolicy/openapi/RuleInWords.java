package dev.agentpolicy.openapi;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** A rule of bodies that no schema of the description says, as it is told of when it is broken; each with the reason. */
public enum RuleInWords {
    /** Compares two members. */
    BAND_IN_ORDER("must not be above (target|max)\\."),
    /** Adds members of three objects. */
    SHARES_OF_AT_MOST_ONE("plus crypto\\.min plus tradfi\\.min must be at most 1"),
    /** Compares two members. */
    HOURS_THAT_DIFFER("end must differ from start"),
    /** The names are some six hundred, and new ones come every year. */
    TIME_ZONE("must be an IANA time zone"),
    /** Compares one member of items, where uniqueItems compares them whole. */
    RULES_OF_OWN_IDS("must be unique among the standing rules"),
    /** Compares two members of items. */
    ONE_POSITION_EACH("must not be listed twice in one sleeve"),
    /** Compares names of members without regard to case. */
    SYMBOLS_IN_ANY_CASE("lists .* twice; symbols are compared in upper case"),
    /** Many a client divides by multipleOf in binary fractions, and refuses what is right. */
    DECIMALS("must have at most [0-9]+ decimals"),
    /** Text cannot be compared with 0 by a pattern that people can read. */
    ABOVE_ZERO("must be above 0"),
    /** To a schema half of a character is one. */
    WELL_FORMED("Unicode"),
    /** A member that is null counts as absent, except where its name is data. */
    NO_NULL_OF_A_NAME("must not be null"),
    /** The passwords are some ten thousand. */
    UNCOMMON_PASSWORD("is one of the most common ones"),
    /** Counts the bytes of a whole document. */
    SIZE("32 KiB");

    private final Pattern told;

    RuleInWords(String told) {
        this.told = Pattern.compile(told);
    }

    /** The rule that a message tells of. */
    public static Optional<RuleInWords> toldOf(String message) {
        return Arrays.stream(values())
                .filter(rule -> rule.told.matcher(message).find())
                .findFirst();
    }
}
