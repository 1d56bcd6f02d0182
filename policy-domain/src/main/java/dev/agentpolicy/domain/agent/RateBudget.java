package dev.agentpolicy.domain.agent;

/**
 * A caller's budget in the current one-second window (specification, Limits).
 *
 * @param perSecond calls allowed in a window
 * @param remaining calls left in this window
 * @param resetSeconds seconds until the next window
 * @param isAdmitted whether the counted call was within the limit
 */
public record RateBudget(int perSecond, int remaining, int resetSeconds, boolean isAdmitted) {
    public static final int RESET_SECONDS = 1;

    /** The budget after a number of calls in the window, this call included. */
    public static RateBudget after(long calls, int perSecond) {
        int remaining = (int) Math.max(0, perSecond - calls);
        return new RateBudget(perSecond, remaining, RESET_SECONDS, calls <= perSecond);
    }

    /** The budget reported while calls cannot be counted: every call is admitted with a full budget. */
    public static RateBudget full(int perSecond) {
        return new RateBudget(perSecond, perSecond, RESET_SECONDS, true);
    }
}
