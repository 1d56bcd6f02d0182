package dev.agentpolicy.domain.event.chain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.agentpolicy.domain.event.SoftPasskey.Circumstances;
import dev.agentpolicy.domain.event.TestKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Chains for a folder of docs/vectors with what a person signed, and an index of those that only claim it. Signatures of
 * passkeys are random, so each run makes other chains; the files are those of one run.
 */
final class VectorFolder {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final String name;
    private final Map<String, String> files = new LinkedHashMap<>();
    private final ArrayNode index = JSON.createArrayNode();

    VectorFolder(String name) {
        this.name = name;
    }

    void put(String vector, TestChain chain) {
        try {
            files.put(
                    name + "/" + vector + "/events.json",
                    AttackVectors.pretty(JSON.readTree(AttackVectors.page(chain, TestKey.ONE))));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError(impossible);
        }
        files.put(name + "/" + vector + "/signing-keys.json", AttackVectors.pretty(AttackVectors.genuine()));
    }

    void forged(String vector, String what, long brokenAt, TestChain chain) {
        put(vector, chain);
        index.addObject().put("name", vector).put("what", what).put("brokenAt", brokenAt);
    }

    /** All files by their path under docs/vectors, the index last. */
    Map<String, String> files() {
        files.put(name + "/" + name + ".json", AttackVectors.pretty(index));
        return files;
    }

    /** Makes a vector with a signature that was given in some circumstances. */
    interface Signing {
        void in(Circumstances how, String vector, String what);
    }

    /** Circumstances in which a signature does not count, whatever it is over. */
    static void circumstances(Signing signing) {
        signing.in(new Circumstances().unverified(), "user-not-verified", "The authenticator did not verify the user");
        signing.in(new Circumstances().absent(), "user-absent", "Nobody touched the authenticator");
        signing.in(
                new Circumstances().origin("https://localhost.evil"), "other-origin", "Signed at the page of a forger");
        signing.in(
                new Circumstances().origin("http://policy.example"),
                "plain-origin",
                "Signed at a page over plain http");
        signing.in(new Circumstances().crossOrigin(), "cross-origin", "Signed in a frame of another page");
        signing.in(new Circumstances().rpId("evil.example"), "other-relying-party", "Made for another relying party");
        signing.in(new Circumstances().type("webauthn.create"), "registration", "A registration shown as an assertion");
    }
}
