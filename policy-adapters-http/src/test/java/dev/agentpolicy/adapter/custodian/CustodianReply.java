package dev.agentpolicy.adapter.custodian;

/** What a custodian said to a call, as a value that tests compare. */
sealed interface CustodianReply<T> {

    /** It did what it was asked to. */
    record Given<T>(T value) implements CustodianReply<T> {}

    /** It refused. */
    record Refused<T>(String reason) implements CustodianReply<T> {}

    /** It is not known whether it did it. */
    record Away<T>(String reason) implements CustodianReply<T> {}
}
