package dev.agentpolicy.alpaca;

/** How a call to the stand-in fails. */
public enum Fault {
    /** The connection ends before anything is done. */
    DROPPED,
    /** The call is done, then the connection ends without an answer. */
    LOST_ANSWER,
    /** Nothing is done, and no answer ever comes. */
    SILENT,
    /** The call is done, and no answer ever comes. */
    DONE_BUT_SILENT,
    /** The connection ends, and the call is done a little later. */
    DONE_LATER,
    /** Too many calls (429); nothing is done. */
    RATE_LIMITED,
    /** An error of the server (500); nothing is done. */
    SERVER_ERROR,
    /** A gateway gives up (504), although the call is done. */
    GATEWAY_TIMEOUT,
    /** The call is done, and its answer ends in the middle. */
    CUT_ANSWER,
    /** The call is done; its answer begins and never ends. */
    STALLED_ANSWER,
    /** The call is done, and something else answers, which is not JSON. */
    NOT_JSON,
    /** The call is done, and its answer is JSON without the members that belong there. */
    WRONG_SHAPE
}
