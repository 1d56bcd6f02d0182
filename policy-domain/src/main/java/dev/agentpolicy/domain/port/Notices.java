package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Tells users by mail and on their devices what they should know while they are not looking (docs/reference/notices.md).
 * Methods neither block nor fail: what cannot be sent is dropped.
 */
public interface Notices extends Executor {
    /** Nothing is set up. */
    Notices NONE = new Notices() {
        @Override
        public boolean isSetUp() {
            return false;
        }

        @Override
        public void send(UserId user, Notice notice) {}

        @Override
        public void execute(Runnable work) {}
    };

    /** Whether users are told anything at all. */
    boolean isSetUp();

    /** Whether mails are sent. */
    default boolean sendsMails() {
        return isSetUp();
    }

    /** Whether notifications are pushed to devices. */
    default boolean sendsPushes() {
        return false;
    }

    /** Tells a user something, soon. */
    void send(UserId user, Notice notice);

    /** Tells a user something soon, also on the devices that the user has now and that are removed until then. */
    default Consumer<Notice> beforeDevicesEnd(UserId user) {
        return notice -> send(user, notice);
    }

    /** Runs work that nobody waits for, such as what precedes a mail; drops it when too much waits already. */
    @Override
    void execute(Runnable work);
}
