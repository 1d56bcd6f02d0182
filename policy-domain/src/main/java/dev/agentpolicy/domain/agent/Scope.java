package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Word;

/** What a key may be used for (specification, Authentication). */
public enum Scope implements Word {
    READ,
    VALIDATE,
    PROPOSE
}
