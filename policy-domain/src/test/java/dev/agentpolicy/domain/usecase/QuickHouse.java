package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.port.EventSigner;

/** A house whose chain is hashed but not really signed, for more rows than a test has the time to sign. */
final class QuickHouse extends House {
    private static final EventSigner UNSIGNED = new EventSigner() {
        private final String keyId = "k".repeat(43);
        private final String signature = "s".repeat(86);

        @Override
        public String keyId() {
            return keyId;
        }

        @Override
        public String sign(String message) {
            return signature;
        }
    };

    @Override
    EventSigner signer() {
        return UNSIGNED;
    }
}
