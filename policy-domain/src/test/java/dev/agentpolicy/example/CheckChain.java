package dev.agentpolicy.example;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.chain.ChainPage;
import dev.agentpolicy.domain.event.chain.ChainVerifier;
import dev.agentpolicy.domain.event.signing.KnownKeys;
import java.nio.file.Files;
import java.nio.file.Path;

/** Verifies a saved chain: {@code CheckChain USER_ID ANCHOR_KEY_ID signing-keys.json events.json}. */
public final class CheckChain {
    private CheckChain() {}

    public static void main(String[] args) throws Exception {
        UserId user = UserId.of(args[0]);
        KnownKeys pinned = KnownKeys.NONE.withAnchor(args[1]);
        ChainVerifier verifier = ChainVerifier.of(text(args[2]), pinned).orElseThrow();
        ChainPage page = ChainPage.parse(text(args[3])).orElseThrow();
        System.out.println(verifier.whole(user, page)
                .<String>fold(
                        intact -> "Intact up to row " + intact.upTo().seq(),
                        broken -> "Broken at row " + broken.seq() + ": " + broken.reason()));
    }

    private static String text(String file) throws Exception {
        return Files.readString(Path.of(file));
    }
}
