package dev.agentpolicy.adapter.jdbc.rate;

import dev.agentpolicy.adapter.jdbc.sql.UnusableDatabase;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Where calls of all nodes are counted; never printed, as the URL may hold a password. */
record RateStoreAddress(
        RateDialect dialect,
        String url,
        @Nullable String user,
        @Nullable String password) {

    /**
     * The address of a store.
     *
     * @throws UnusableDatabase when the URL is of no database that can count
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
