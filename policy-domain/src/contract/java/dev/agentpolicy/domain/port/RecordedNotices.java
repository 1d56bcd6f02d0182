package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What users were told, kept for tests; work is done at once. */
public final class RecordedNotices implements Notices {
    private final List<Notice> sent = new CopyOnWriteArrayList<>();
    private volatile boolean isSetUp = true;

    /** Has the service send mails and notifications, or none. */
    public void turn(boolean on) {
        isSetUp = on;
    }

    @Override
    public boolean isSetUp() {
        return isSetUp;
    }

    @Override
    public boolean sendsPushes() {
        return isSetUp;
    }

    @Override
    public void send(UserId user, Notice notice) {
        sent.add(notice);
    }

    @Override
    public void execute(Runnable work) {
        work.run();
    }

    /** The notices of a kind, oldest first. */
    public <N extends Notice> List<N> of(Class<N> kind) {
        return sent.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <N extends Notice> N last(Class<N> kind) {
        List<N> all = of(kind);
        return all.get(all.size() - 1);
    }
}
