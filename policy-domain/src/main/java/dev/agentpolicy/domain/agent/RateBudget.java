package dev.agentpolicy.domain.agent;

/**
 * What a caller has left of the current one-second window (specification, Limits).
 *
 * @param perSecond calls a window admits
 * @param remaining calls left in this one
 * @param resetSeconds seconds until the next one
 * @param isAdmitted whether the call that asked was within the limit
 */
public record RateBudget(int perSecond, int remaining, int resetSeconds, boolean isAdmitted) {
    public static final int RESET_SECONDS = 1;

    /** The budget after that many calls in the window, the present one included. */
    public static RateBudget after(long calls, int perSecond) {
        int remaining = (int) Math.max(0, perSecond - calls);
        return new RateBudget(perSecond, remaining, RESET_SECONDS, calls <= perSecond);
    }

    /** What is reported while the counter is away: everybody is admitted with a full budget. */
    public static RateBudget full(int perSecond) {
        return new RateBudget(perSecond, perSecond, RESET_SECONDS, true);
    }
}
