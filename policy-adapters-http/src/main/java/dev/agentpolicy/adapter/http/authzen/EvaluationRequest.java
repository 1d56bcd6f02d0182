package dev.agentpolicy.adapter.http.authzen;

import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.trade.SentTrade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request of one access evaluation.
 *
 * <p>It is read in two steps. {@link #read} checks the form that the standard prescribes; a request of another form is
 * an error. {@link #trade} then reads it in the vocabulary of this service; a request that is no trade of the calling
 * key is denied.
 *
 * @param subject who wants to act
 * @param action what it wants to do
 * @param resource the asset
 * @param context the numbers of the trade; empty if there is none
 */
record EvaluationRequest(Document subject, Document action, Document resource, Document context) {
    static final String SUBJECT = "subject";
    static final String ACTION = "action";
    static final String RESOURCE = "resource";
    static final String CONTEXT = "context";

    private static final String TYPE = "type";
    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String PROPERTIES = "properties";
    private static final String AGENT = "agent";
    private static final String ASSET = "asset";
    private static final Document NOTHING = Document.of(Map.of());

    /** Where a request has the fields of a trade. */
    private static final Map<String, String> PATHS = Map.of(
            "action", "action.name",
            "assetSymbol", "resource.id",
            "assetType", "resource.properties.assetType",
            "amountUsd", "context.amountUsd",
            "expectedSlippagePct", "context.expectedSlippagePct");

    /** Checks the form of a request. Unknown members are ignored, as the standard demands. */
    static Reading<EvaluationRequest> read(Document sent) {
        Fields fields = new Fields(sent, Decimals.NUMBERS);
        fields.ignoreUnknown();
        checkForm(fields);
        requireEntities(fields);
        return fields.finish(() -> new EvaluationRequest(
                nested(sent, SUBJECT), nested(sent, ACTION), nested(sent, RESOURCE), nested(sent, CONTEXT)));
    }

    /** Reports entities of a wrong form. None is required. */
    static void checkForm(Fields fields) {
        checkEntity(fields, SUBJECT, TYPE, ID);
        checkEntity(fields, ACTION, NAME);
        checkEntity(fields, RESOURCE, TYPE, ID);
        checkObject(fields, CONTEXT);
    }

    /** Reports required entities that are absent. */
    static void requireEntities(Fields fields) {
        fields.require(SUBJECT, ACTION, RESOURCE);
    }

    private static void checkEntity(Fields fields, String name, String... required) {
        fields.object(name, entity -> {
            entity.ignoreUnknown();
            for (String member : required) {
                entity.text(member, 0, Integer.MAX_VALUE);
            }
            checkObject(entity, PROPERTIES);
            entity.require(required);
            return null;
        });
    }

    private static void checkObject(Fields fields, String name) {
        fields.object(name, object -> {
            object.ignoreUnknown();
            return null;
        });
    }

    private static Document nested(Document sent, String name) {
        return sent.get(name) instanceof Document document ? document : NOTHING;
    }

    /** The trade that is asked about, or the reasons why it is none of the calling key. */
    Reading<SentTrade> trade(AgentKeyId caller) {
        List<Problem> problems = new ArrayList<>();
        if (!AGENT.equals(subject.get(TYPE))) {
            problems.add(new Problem("subject.type", "subject.type must be agent."));
        }
        if (!(subject.get(ID) instanceof String id && id.equalsIgnoreCase(caller.toString()))) {
            problems.add(new Problem("subject.id", "subject.id must be the id of the calling key."));
        }
        if (!ASSET.equals(resource.get(TYPE))) {
            problems.add(new Problem("resource.type", "resource.type must be asset."));
        }
        Reading<SentTrade> trade = TradePayload.read(asTrade());
        trade.problems().stream().map(EvaluationRequest::relocated).forEach(problems::add);
        return problems.isEmpty() ? trade : Reading.wrong(problems);
    }

    private Document asTrade() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        put(members, "action", action.get(NAME));
        put(members, "assetSymbol", resource.get(ID));
        put(members, "assetType", nested(resource, PROPERTIES).get("assetType"));
        put(members, "amountUsd", context.get("amountUsd"));
        put(members, "expectedSlippagePct", context.get("expectedSlippagePct"));
        return Document.of(members);
    }

    /** Null counts as absent. */
    private static void put(Map<String, @Nullable Object> members, String name, @Nullable Object value) {
        if (value != null) {
            members.put(name, value);
        }
    }

    /** A problem of a field of a trade, said of the member that holds it. Every message begins with the field. */
    private static Problem relocated(Problem problem) {
        String path = Fields.present(PATHS.get(problem.field()));
        return new Problem(
                path, path + problem.message().substring(problem.field().length()));
    }
}
