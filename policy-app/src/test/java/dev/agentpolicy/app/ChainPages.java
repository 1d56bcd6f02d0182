package dev.agentpolicy.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The whole chain of a user, read page by page from a running service. */
public final class ChainPages {
    private final List<ApiCaller.Seen> pages = new ArrayList<>();
    private final ApiCaller agent;

    private ChainPages(ApiCaller agent) {
        this.agent = agent;
    }

    public static ChainPages of(ApiCaller agent) {
        ChainPages chain = new ChainPages(agent);
        String next = "";
        while (next != null) {
            ApiCaller.Seen page = agent.get(TestHousehold.API + "policy/events?limit=100" + next)
                    .ok();
            chain.pages.add(page);
            JsonNode cursor = page.json().get("nextCursor");
            next = cursor.isNull() ? null : "&cursor=" + cursor.textValue();
        }
        return chain;
    }

    /** Hashes by seq. */
    SortedMap<Long, String> hashes() {
        SortedMap<Long, String> hashes = new TreeMap<>();
        rows().forEach(row ->
                hashes.put(row.get("seq").longValue(), row.get("hash").textValue()));
        return hashes;
    }

    List<JsonNode> rows() {
        List<JsonNode> rows = new ArrayList<>();
        pages.forEach(page -> page.json().get("events").forEach(rows::add));
        return rows;
    }

    List<JsonNode> rows(String eventType) {
        return rows().stream()
                .filter(row -> row.get("eventType").textValue().equals(eventType))
                .toList();
    }

    /**
     * What verifiers say: the service's own, and those of docs/verify that can run here, which share no code with it;
     * one line each.
     */
    public List<String> verdicts(Path folder, String... options) throws IOException, InterruptedException {
        return Verifiers.FAST.verdicts(folder, text(), keys(), options);
    }

    /** All pages as the verifiers read them. */
    String text() {
        return pages.stream().map(ApiCaller.Seen::text).toList().toString();
    }

    /** The manifest of keys, as it is now. */
    String keys() {
        return agent.get(TestHousehold.API + "signing-keys").ok().text();
    }
}
