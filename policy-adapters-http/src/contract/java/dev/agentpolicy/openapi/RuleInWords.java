package dev.agentpolicy.openapi;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** A rule about bodies that no schema can state, recognised by its message, with the reason. */
public enum RuleInWords {
    /** Compares two members. */
    BAND_IN_ORDER("must not be above (target|max)\\."),
    /** Adds members of three objects. */
    SHARES_OF_AT_MOST_ONE("plus crypto\\.min plus tradfi\\.min must be at most 1"),
    /** Compares two members. */
    HOURS_THAT_DIFFER("end must differ from start"),
    /** There are about six hundred names, and new ones come every year. */
    TIME_ZONE("must be an IANA time zone"),
    /** Compares one member of items, where uniqueItems compares them whole. */
    RULES_OF_OWN_IDS("must be unique among the standing rules"),
    /** Compares two members of items. */
    ONE_POSITION_EACH("must not be listed twice in one sleeve"),
    /** Compares names of members regardless of case. */
    SYMBOLS_IN_ANY_CASE("lists .* twice; symbols are compared in upper case"),
    /** The spellings of an asset depend on the directory and on the holdings of the account. */
    SPELLINGS_OF_ONE_ASSET("are spellings of one asset"),
    /** The type of an asset depends on the directory and on the holdings of the account. */
    THE_SLEEVE_OF_AN_ASSET("is held as (crypto|tradfi)|is a (crypto|tradfi) asset; the call says"),
    /** Many clients divide by multipleOf in binary fractions and refuse valid values. */
    DECIMALS("must have at most [0-9]+ decimals"),
    /** No readable pattern compares text with 0. */
    ABOVE_ZERO("must be above 0"),
    /** A schema counts half of a surrogate pair as a character. */
    WELL_FORMED("Unicode"),
    /** A null member counts as absent, except where its name is data. */
    NO_NULL_OF_A_NAME("must not be null"),
    /** There are about ten thousand passwords. */
    UNCOMMON_PASSWORD("is one of the most common ones"),
    /** Counts the bytes of a whole document. */
    SIZE("32 KiB");

    private final Pattern told;

    RuleInWords(String told) {
        this.told = Pattern.compile(told);
    }

    /** The rule that a message is about. */
    public static Optional<RuleInWords> toldOf(String message) {
        return Arrays.stream(values())
                .filter(rule -> rule.told.matcher(message).find())
                .findFirst();
    }
}
