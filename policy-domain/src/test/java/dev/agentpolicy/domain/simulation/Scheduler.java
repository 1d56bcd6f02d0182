package dev.agentpolicy.domain.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Everything that is under way, in no order but that of chance: one step at a time, each of them whole. */
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

    /** For a step that is overtaken by most others. */
    void addLate(Runnable step) {
        steps.add(new ScheduledStep(step, true));
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    /** Takes any step, unless it is a late one that has to wait on. */
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
