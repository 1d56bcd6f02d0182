package dev.agentpolicy.adapter.jdbc.sql;

import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.chain.PolicyEvent;

/** An event with its place, hash and signature, and the draft that it was made of. */
public record SealedEvent(EventDraft draft, PolicyEvent event) {}
