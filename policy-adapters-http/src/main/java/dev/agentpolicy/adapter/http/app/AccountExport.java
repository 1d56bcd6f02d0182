package dev.agentpolicy.adapter.http.app;

import dev.agentpolicy.adapter.http.json.EventsJson;
import dev.agentpolicy.adapter.http.json.HoldingsJson;
import dev.agentpolicy.adapter.http.json.IpsJson;
import dev.agentpolicy.adapter.http.json.JsonWriter;
import dev.agentpolicy.adapter.http.json.KeyJson;
import dev.agentpolicy.adapter.http.json.RequestJson;
import dev.agentpolicy.adapter.http.json.SessionJson;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.event.page.EventQuery;
import dev.agentpolicy.domain.event.page.EventQuery.Direction;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.usecase.agent.ReadEvents.PageWithSignedHead;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.owner.ReadRequests;
import dev.agentpolicy.domain.usecase.owner.ReadRequests.RequestPage;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Everything that is stored of a user, as one JSON object that is written while it is read (docs/reference/app-api.md, The
 * export). Requests and events are read in pages, so that an account of any size needs the memory of one page.
 */
record AccountExport(AppUseCases useCases, UserId user, String email, String session) {

    void write(Writer out) throws IOException {
        out.write("{\"account\":");
        out.write(json(account -> account.text("userId", user.toString()).text("email", email)));
        out.write(members(all -> {
            all.array("sessions", useCases.manageSessions().list(user, session), SessionJson::write);
            all.array("ipsVersions", useCases.readState().ipsVersions(user), IpsJson::write);
            all.array("keys", useCases.issueKeys().list(user), KeyJson::write);
            AccountHoldings holdings = useCases.readState().holdings(user);
            all.object("portfolio", holdings, HoldingsJson::write);
        }));
        requests(out);
        events(out);
        out.write('}');
    }

    private void requests(Writer out) throws IOException {
        out.write(",\"requests\":[");
        String separator = "";
        Long before = null;
        do {
            RequestPage page = useCases.readRequests().page(user, null, before, ReadRequests.MAX_LIMIT);
            for (ServiceRequest request : page.requests()) {
                out.write(separator);
                out.write(json(one -> RequestJson.write(one, request)));
                separator = ",";
            }
            before = page.next();
        } while (before != null);
        out.write(']');
    }

    /** Writes the chain as its pages have it, so that it can be verified. */
    private void events(Writer out) throws IOException {
        out.write(",\"events\":[");
        Set<String> erasures = new LinkedHashSet<>();
        String separator = "";
        PageWithSignedHead page;
        Optional<EventQuery> query = Optional.of(new EventQuery(
                EventQuery.MAX_LIMIT, Direction.ASC, Optional.empty(), Optional.empty(), OptionalLong.empty()));
        do {
            EventQuery asked = query.orElseThrow();
            page = useCases.readEvents().read(user, asked);
            byte[] rows = page.page().rows();
            if (rows.length > 0) {
                out.write(separator);
                out.write(new String(rows, StandardCharsets.UTF_8));
                separator = ",";
            }
            if (!page.page().erasures().isEmpty()) {
                erasures.add(page.page().erasures());
            }
            String cursor = page.page().nextCursor();
            query = cursor == null ? Optional.empty() : asked.after(cursor);
        } while (query.isPresent());
        out.write("],\"erasures\":[");
        out.write(String.join(",", erasures));
        out.write("],\"head\":");
        out.write(EventsJson.head(page.head()));
    }

    private static String json(Consumer<JsonWriter> body) {
        return new String(JsonWriter.object(body), StandardCharsets.UTF_8);
    }

    /** Further members of an object, each with a comma before it. */
    private static String members(Consumer<JsonWriter> body) {
        String object = json(body);
        return "," + object.substring(1, object.length() - 1);
    }
}
