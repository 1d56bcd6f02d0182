package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.EventPage;
import dev.agentpolicy.domain.event.EventQuery;
import dev.agentpolicy.domain.event.SignedHead;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventLog.HeadedPage;
import dev.agentpolicy.domain.port.EventSigner;
import java.time.InstantSource;

/** Reads the signed chain, with a signed word on where it ends (specification, Events). */
public final class ReadEvents {
    private final EventLog events;
    private final EventSigner signer;
    private final InstantSource clock;

    public ReadEvents(EventLog events, EventSigner signer, InstantSource clock) {
        this.events = events;
        this.signer = signer;
        this.clock = clock;
    }

    /**
     * A page of the chain.
     *
     * @param page the rows
     * @param head where the chain ends, signed now; never before the last row of the page
     */
    public record Pages(EventPage page, SignedHead head) {}

    public Pages read(UserId account, EventQuery query) {
        HeadedPage found = events.headedPage(account, query);
        EventSigner present = signer.present();
        SignedHead head = SignedHead.issue(found.head(), clock.instant(), present.keyId(), present::sign);
        return new Pages(found.page(), head);
    }
}
