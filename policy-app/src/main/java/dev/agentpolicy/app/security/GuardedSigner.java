package dev.agentpolicy.app.security;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.EventSigner;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Signs with another signer, except while signing is stopped.
 *
 * @param signer makes the signatures
 * @param stop why signing is stopped now; empty while it is allowed
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
    public Optional<EventSigner.Rollover> from(String lastKeyId) {
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
