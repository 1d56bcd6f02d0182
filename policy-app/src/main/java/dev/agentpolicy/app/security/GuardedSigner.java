package dev.agentpolicy.app.security;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.SignerRollover;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Signs as another does, and nothing while it must not.
 *
 * @param signer signs
 * @param stop why nothing may be signed now; empty when it may
 */
public record GuardedSigner(EventSigner signer, Supplier<Optional<String>> stop) implements EventSigner {

    @Override
    public String keyId() {
        return current().keyId();
    }

    @Override
    public String sign(String message) {
        return current().sign(message);
    }

    @Override
    public EventSigner current() {
        requireAllowed();
        return signer.current();
    }

    @Override
    public Optional<SignerRollover> from(String lastKeyId) {
        requireAllowed();
        return signer.from(lastKeyId);
    }

    private void requireAllowed() {
        Optional<String> reason = stop.get();
        if (reason.isPresent()) {
            throw new Unavailable(reason.get());
        }
    }
}
