package dev.agentpolicy.app;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.port.Handover;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Signs as another does, and nothing while it must not.
 *
 * @param signer signs
 * @param isStopped whether nothing may be signed now
 */
record GuardedSigner(EventSigner signer, BooleanSupplier isStopped) implements EventSigner {

    @Override
    public String keyId() {
        return present().keyId();
    }

    @Override
    public String sign(String message) {
        return present().sign(message);
    }

    @Override
    public EventSigner present() {
        requireAllowed();
        return signer.present();
    }

    @Override
    public Optional<Handover> from(String lastKeyId) {
        requireAllowed();
        return signer.from(lastKeyId);
    }

    private void requireAllowed() {
        if (isStopped.getAsBoolean()) {
            throw new Unavailable("The database has gone back behind what was anchored; nothing is added to it.");
        }
    }
}
