package dev.agentpolicy.domain.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs the steps of all calls one at a time, in random order. */
final class Scheduler {
    private static final int PATIENCE = 20;
    private final List<ScheduledStep> steps = new ArrayList<>();
    private final Random random;

    Scheduler(Random random) {
        this.random = random;
    }

    private record ScheduledStep(Runnable run, boolean isLate) {}

    void add(Runnable step) {
        steps.add(new ScheduledStep(step, false));
    }

    /** Adds a step that runs after most others. */
    void addLate(Runnable step) {
        steps.add(new ScheduledStep(step, true));
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Runs a random step, unless it is a late one that must wait longer. */
    void takeOne(boolean isCalm) {
        int which = random.nextInt(steps.size());
        ScheduledStep step = steps.get(which);
        if (step.isLate && !isCalm && random.nextInt(PATIENCE) != 0) {
            return;
        }
        ScheduledStep last = steps.remove(steps.size() - 1);
        if (last != step) {
            steps.set(which, last);
        }
        step.run.run();
    }
}
