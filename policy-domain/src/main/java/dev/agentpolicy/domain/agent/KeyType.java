package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.document.Word;

/** Whether a key acts on the user's own account or in the sandbox (specification, Authentication). */
public enum KeyType implements Word {
    LIVE,
    TEST
}
