package dev.agentpolicy.openapi;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;

/** Rules of request bodies that no schema of the description expresses, each with its message and the reason. */
public enum RuleInWords {
    /** Compares two members. */
    BAND_IN_ORDER("must not be above (target|max)\\."),
    /** Adds members of three objects. */
    SHARES_OF_AT_MOST_ONE("plus crypto\\.min plus tradfi\\.min must be at most 1"),
    /** A header says it. */
    SENT_AS_JSON("must be sent as Content-Type: application/json"),
    /** Depends on who calls. */
    SUBJECT_THAT_CALLS("must be the id of the calling key"),
    /** An evaluation may inherit its entities, which are held against their values only if it does. */
    ENTITIES_OF_AN_EVALUATION(
            "(^|\")((subject|resource|context)[.A-Za-z]* (is missing|must )|action(\\.name must | is missing))"),
    /** Depends on the policy and the keys of the account. */
    APPROVAL_OF_WHAT_THERE_IS("must be that of a (standing rule or limit that requires approval|working key)"),
    /** Depends on what a program asked for. */
    SCOPES_ASKED_FOR("scopes must be among those that were asked for"),
    /** Compares with the clock. */
    UNTIL_SOON("until must (not have passed|be at most 30 days ahead)"),
    /** No pattern says which bits of an address are those of a host. */
    NETWORK("must be an IP address or a network"),
    /** Only a challenge and a registered passkey make it right. */
    PASSKEY("invalid_passkey"),
    /** Compares members, two of which are those of another one. */
    ONE_CONFIRMATION("must not be sent beside a password"),
    /** The last character may only hold bits of whole bytes. */
    WHOLE_BYTES("must be base64url without padding"),
    /** Depends on another member: the call that is to be confirmed. */
    POLICY_TO_CONFIRM("body must be a policy: "),
    /** Compares two members. */
    SAME_ID("rawId must be the id"),
    /** Compares two members. */
    HOURS_THAT_DIFFER("end must differ from start"),
    /** There are about 600 names, and new ones every year. */
    TIME_ZONE("must be an IANA time zone"),
    /** Compares one member of the items; uniqueItems compares whole items. */
    RULES_OF_OWN_IDS("must be unique among the standing rules and limits"),
    /** Depends on the kind of a limit. */
    MEMBERS_OF_A_KIND("limits\\[[0-9]+\\]\\.[A-Za-z.]+ (is missing|is not a known field|or maxTrades must be given)"),
    /** Compares three members of the items. */
    FLOWS_OF_OWN_FORMS("has the scope, windowMinutes and per of a limit before it"),
    /** Compares two members of items. */
    ONE_POSITION_EACH("must not be listed twice in one sleeve"),
    /** Compares names of members regardless of case. */
    SYMBOLS_IN_ANY_CASE("lists .* twice; symbols are compared in upper case"),
    /** The spellings of an asset depend on the directory and on the holdings of the account. */
    SPELLINGS_OF_ONE_ASSET("are spellings of one asset"),
    /** The sleeve of an asset depends on the directory and on what the account holds. */
    THE_SLEEVE_OF_AN_ASSET("is held as (crypto|tradfi)|is a (crypto|tradfi) asset; the call says"),
    /** Whether a symbol is a pair or a derivative depends on the coins that the account and the directory know. */
    PAIRS_AND_DERIVATIVES("against US dollars, can be decided|derivatives are not traded here"),
    /** Many clients divide by multipleOf in floating point and refuse valid values. */
    DECIMALS("must have at most [0-9]+ decimals"),
    /** A pattern that compares text with 0 would be unreadable. */
    ABOVE_ZERO("must be above 0"),
    /** For a schema, an unpaired surrogate is a character. */
    WELL_FORMED("Unicode"),
    /** A null member counts as absent, except where its name is data. */
    NO_NULL_OF_A_NAME("must not be null"),
    /** Elsewhere a null member counts as absent; here null is a value. */
    NULL_THAT_IS_SAID("passkeyAboveUsd is missing"),
    /** The grammar of addresses nests. */
    MAILABLE("must be an address that mails can be sent to"),
    /** There are about 10 000 such passwords. */
    UNCOMMON_PASSWORD("is one of the most common ones"),
    /** The grammar of addresses nests, and only a look-up tells which are public. */
    ENDPOINT("must be (an https address|at a public address)"),
    /** Compares one member of the items. */
    TESTS_OF_OWN_NAMES("tests must not have one name twice"),
    /** Compares two members. */
    RULES_OF_AN_EXPECTATION("rules must (not be empty|be empty for a trade that is allowed)"),
    /** Values the holdings, and compares two members. */
    PEAK_OF_A_TEST("peakValue must not be below the value|peakDaysAgo needs peakValue"),
    /** The spellings and sleeves of assets depend on the directory. */
    ASSETS_OF_A_TEST("positions must not have one asset twice"),
    /** Counts the bytes of a whole document. */
    SIZE("32 KiB");

    private final Pattern told;

    RuleInWords(String told) {
        this.told = Pattern.compile(told);
    }

    /** The rule of a message. */
    public static Optional<RuleInWords> toldOf(String message) {
        return Arrays.stream(values())
                .filter(rule -> rule.told.matcher(message).find())
                .findFirst();
    }
}
