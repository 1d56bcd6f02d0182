package dev.agentpolicy.domain.custodian;

/**
 * The key with which a broker's account is used.
 *
 * @param environment the environment that the key belongs to
 * @param keyId names the key; not secret, but not shown either
 * @param secretKey the secret
 */
public record BrokerCredentials(BrokerEnvironment environment, String keyId, String secretKey) {

    /** Without the key, so that it cannot get into a log. */
    @Override
    public String toString() {
        return "BrokerCredentials[" + environment.wireName() + "]";
    }
}
