package dev.agentpolicy.app;

import static dev.agentpolicy.app.TestHousehold.APP;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.app.NumberedCall.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Policies: each version is what its caller sent, and the last one in the log is in force. */
final class IpsRecoveryCheck implements RecoveryCheck {
    private final ChangeHistory log;

    IpsRecoveryCheck(ChangeHistory log) {
        this.log = log;
    }

    @Override
    public void hold(ProposalClient queue, Collection<NumberedCall> asked) {
        asked.stream().filter(call -> call.kind() == Kind.AMEND).forEach(call -> {
            Integer version = log.versionOf(call.rows().findFirst().orElseThrow());
            if (version != null) {
                isAsSent(call, read(queue, "/versions/" + version));
            }
        });
        assertThat(read(queue, "").get("ipsVersion").intValue()).isEqualTo(log.lastVersion());
    }

    @Override
    public void close(ProposalClient queue) {
        List<Integer> versions = new ArrayList<>();
        for (String cursor = ""; cursor != null; ) {
            JsonNode page = read(queue, "/versions?limit=100" + cursor);
            page.get("versions").findValues("ipsVersion").forEach(version -> versions.add(version.intValue()));
            cursor = page.get("nextCursor").isNull()
                    ? null
                    : "&cursor=" + page.get("nextCursor").textValue();
        }
        List<Integer> newestFirst = IntStream.range(0, log.lastVersion())
                .mapToObj(i -> log.lastVersion() - i)
                .toList();
        assertThat(versions).isEqualTo(newestFirst);
    }

    private static void isAsSent(NumberedCall call, JsonNode version) {
        if (call.isAcknowledged()) {
            assertThat(call.answer().orElseThrow().json()).isEqualTo(version);
        }
        ObjectNode document = version.deepCopy();
        document.remove(Set.of("ipsVersion", "createdAt", "paused"));
        ObjectNode sent = new Seen(0, null, NumberedBodies.statement(call.number()))
                .json()
                .deepCopy();
        sent.put("unknownAssets", "as_said");
        sent.putArray("approvals");
        sent.putArray("limits");
        assertThat(document.equals(IpsRecoveryCheck::compare, sent))
                .describedAs("%s: %s", call, version)
                .isTrue();
    }

    /** Numbers are equal when they are as large. */
    private static int compare(JsonNode one, JsonNode other) {
        boolean isSo = one.isNumber() && other.isNumber()
                ? one.decimalValue().compareTo(other.decimalValue()) == 0
                : one.equals(other);
        return isSo ? 0 : 1;
    }

    private static JsonNode read(ProposalClient queue, String path) {
        return queue.household().user().get(APP + "ips" + path).ok().json();
    }
}
