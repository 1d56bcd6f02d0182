package dev.agentpolicy.domain.port;

import dev.agentpolicy.domain.account.Notice;
import dev.agentpolicy.domain.agent.UserId;
import java.util.concurrent.Executor;

/**
 * Tells users by mail what they should know while they are not looking (docs/reference/sign-in.md, Mails). Methods neither
 * block nor fail: what cannot be sent is dropped.
 */
public interface Notices extends Executor {
    /** No mail is set up. */
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

    /** Whether mails are sent at all. */
    boolean isSetUp();

    /** Tells a user something, soon. */
    void send(UserId user, Notice notice);

    /** Runs work that nobody waits for, such as what precedes a mail; drops it when too much waits already. */
    @Override
    void execute(Runnable work);
}
