package dev.agentpolicy.domain.port;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/** Fetches the documents by which programs describe themselves (docs/reference/connections.md, Client documents). */
public interface ClientDocuments {
    /** The largest document that is read, in bytes. */
    int MAX_BYTES = 64 * 1024;

    /**
     * A document.
     *
     * @param json its text
     * @param maxAge how long it may be kept, as its server says; zero if it does not say
     */
    record FetchedDocument(String json, Duration maxAge) {}

    /**
     * Fetches a document over https from a public address, without following redirects; empty if there is none there that can
     * be read within 5 seconds. Blocks.
     */
    Optional<FetchedDocument> fetch(URI url);
}
