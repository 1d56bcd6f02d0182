package dev.agentpolicy.archfixture.adapter.http;

import dev.agentpolicy.archfixture.domain.port.PortOfNobody;

/** Breaks a rule on purpose: the front door does not touch ports. */
final class SkipsTheUseCase {
    private final Class<?> port = PortOfNobody.class;
}
