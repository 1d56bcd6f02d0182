package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.dialect.UnusableDatabase;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The address of the store in which all nodes count calls. Its text omits the URL, which may contain a password. */
record RateStoreAddress(
        RateDialect dialect,
        String url,
        @Nullable String user,
        @Nullable String password) {

    /**
     * The address of a store.
     *
     * @throws UnusableDatabase when the URL is for a database that cannot count calls
     */
    static RateStoreAddress of(String url, @Nullable String user, @Nullable String password) {
        return new RateStoreAddress(RateDialect.of(url), url, user, password);
    }

    Properties properties() {
        Properties properties = dialect.properties();
        if (user != null) {
            properties.put("user", user);
        }
        if (password != null) {
            properties.put("password", password);
        }
        return properties;
    }

    @Override
    public String toString() {
        return "RateStoreAddress[" + dialect + "]";
    }
}
