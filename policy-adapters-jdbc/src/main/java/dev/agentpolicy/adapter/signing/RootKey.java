package dev.agentpolicy.adapter.signing;

import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.KeysetHandle;
import com.google.crypto.tink.RegistryConfiguration;
import com.google.crypto.tink.TinkJsonProtoKeysetFormat;
import com.google.crypto.tink.signature.PredefinedSignatureParameters;
import dev.agentpolicy.adapter.files.OwnerOnlyFiles;
import dev.agentpolicy.adapter.signing.KeySafe.TinkEventSigner;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKey.Purpose;
import dev.agentpolicy.domain.port.EventSigner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Instant;

/** The file of a root key. A root key attests new keys in an emergency, and is kept away from the service. */
public final class RootKey {

    private RootKey() {}

    /** Writes a new root key to a new file that only its owner may read, and returns its public part. */
    public static SigningKey create(Path file, Instant now) {
        KeyRing.prepare();
        try {
            KeysetHandle keyset = KeysetHandle.generateNew(
                    PredefinedSignatureParameters.ED25519WithRawOutput, RegistryConfiguration.get());
            Files.writeString(
                    OwnerOnlyFiles.create(file),
                    TinkJsonProtoKeysetFormat.serializeKeyset(
                            keyset, RegistryConfiguration.get(), InsecureSecretKeyAccess.get()));
            return SigningKey.active(TinkEventSigner.publicKey(keyset), Purpose.ROOT, now);
        } catch (IOException | GeneralSecurityException failed) {
            throw new UnusableKeys(
                    "The root key file " + file + " could not be made; name a file that does not exist.", failed);
        }
    }

    /** Reads a root key for signing. */
    public static EventSigner read(Path file) {
        KeyRing.prepare();
        try {
            return TinkEventSigner.of(TinkJsonProtoKeysetFormat.parseKeyset(
                    Files.readString(file), RegistryConfiguration.get(), InsecureSecretKeyAccess.get()));
        } catch (IOException unreadable) {
            throw new UnusableKeys("The root key file " + file + " cannot be read.", unreadable);
        } catch (GeneralSecurityException malformed) {
            throw new UnusableKeys("The file " + file + " holds no root key.", null);
        }
    }
}
