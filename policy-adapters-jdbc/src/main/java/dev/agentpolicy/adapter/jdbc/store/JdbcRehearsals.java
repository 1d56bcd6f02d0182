package dev.agentpolicy.adapter.jdbc.store;

import dev.agentpolicy.adapter.jdbc.sql.Reads;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.compare.PolicyTests;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.ips.ShadowIps;
import dev.agentpolicy.domain.port.Rehearsals;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Stores what users rehearse policies with: a document of each kind. */
public record JdbcRehearsals(Reads reads) implements Rehearsals {
    private static final String TESTS = "tests";
    private static final String SHADOW = "shadow";

    @Override
    public PolicyTests tests(UserId user) {
        return find(user, TESTS).map(PolicyTests.SCHEMA::readWhole).orElse(PolicyTests.NONE);
    }

    @Override
    public void replaceTests(UserId user, PolicyTests tests) {
        replace(user, TESTS, PolicyTests.SCHEMA.write(tests));
    }

    @Override
    public Optional<ShadowIps> shadow(UserId user) {
        return find(user, SHADOW).map(ShadowIps.STORED::readWhole);
    }

    @Override
    public void replaceShadow(UserId user, ShadowIps shadow) {
        replace(user, SHADOW, ShadowIps.STORED.write(shadow));
    }

    @Override
    public boolean removeShadow(UserId user, ShadowIps shadow) {
        return reads.update(
                        "DELETE FROM policy_rehearsal WHERE user_id = ? AND kind = ? AND document = ?",
                        user.value(),
                        SHADOW,
                        CanonicalForm.writeStored(ShadowIps.STORED.write(shadow)))
                > 0;
    }

    private Optional<Document> find(UserId user, String kind) {
        return reads.first(
                "SELECT document FROM policy_rehearsal WHERE user_id = ? AND kind = ?",
                row -> CanonicalForm.readStored(row.getString("document")),
                user.value(),
                kind);
    }

    /** The row may come or go between two statements; with each failed turn, somebody else has written or removed it. */
    private void replace(UserId user, String kind, Map<String, @Nullable Object> members) {
        String document = CanonicalForm.writeStored(members);
        boolean isStored = false;
        while (!isStored) {
            isStored = reads.update(
                                    "UPDATE policy_rehearsal SET document = ? WHERE user_id = ? AND kind = ?",
                                    document,
                                    user.value(),
                                    kind)
                            > 0
                    || reads.insert(
                            "INSERT INTO policy_rehearsal(user_id, kind, document) VALUES (?, ?, ?)",
                            user.value(),
                            kind,
                            document);
        }
    }
}
