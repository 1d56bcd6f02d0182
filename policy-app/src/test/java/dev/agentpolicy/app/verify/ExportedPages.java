package dev.agentpolicy.app.verify;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentpolicy.adapter.http.json.AuditJson;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.SignedPage;
import dev.agentpolicy.domain.event.signing.SigningKey;
import dev.agentpolicy.domain.event.signing.SigningKeyManifest;
import dev.agentpolicy.domain.port.EventLog;
import dev.agentpolicy.domain.port.EventSigner;
import dev.agentpolicy.domain.usecase.agent.ReadEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The pages of a chain, as files. */
record ExportedPages(EventLog log, EventSigner signer, InstantSource clock) {

    /** Every page of a chain, each as its body. */
    List<byte[]> pages(UserId user, int limit) {
        ReadEvents read = new ReadEvents(log, signer, clock, id -> 0);
        List<byte[]> pages = new ArrayList<>();
        EventQuery query = new EventQuery(
                limit, EventQuery.Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty());
        for (EventQuery next = query; next != null; ) {
            ReadEvents.PageWithSignedHead found = read.read(user, next);
            pages.add(AuditJson.bytes(found));
            SignedPage page = found.page();
            next = page.nextCursor() == null
                    ? null
                    : query.after(page.nextCursor()).orElseThrow();
        }
        return pages;
    }

    /** The pages as an array in one file, the way the scripts read them. */
    Path file(Path folder, UserId user) throws IOException {
        StringBuilder array = new StringBuilder();
        for (byte[] page : pages(user, 200)) {
            array.append(array.length() == 0 ? "[" : ",\n").append(new String(page, StandardCharsets.UTF_8));
        }
        return Files.writeString(folder.resolve("events.json"), array.append("]\n"));
    }

    static Path keys(Path folder, EventSigner anchor, List<SigningKey> keys) throws IOException {
        SigningKeyManifest manifest =
                SigningKeyManifest.of("policy.example/agent/v1", keys).signed(anchor.keyId(), anchor::sign);
        return Files.write(folder.resolve("signing-keys.json"), new JsonMapper().writeValueAsBytes(manifest.tree()));
    }
}
