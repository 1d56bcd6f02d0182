package dev.agentpolicy.app.hostile;

import dev.agentpolicy.app.ApiCaller;
import dev.agentpolicy.app.ApiCaller.Seen;
import dev.agentpolicy.openapi.OpenApiDocument;
import dev.agentpolicy.openapi.Operation;
import dev.agentpolicy.openapi.RuleInWords;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Compares which requests the service accepts with what docs/openapi.json says. */
final class Agreement {
    static final OpenApiDocument DOCUMENT = OpenApiDocument.load();
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 415, 422);
    private static final int SHOWN = 2_000;

    /** Any text matches its schema, but the service accepts only cursors that it made. */
    private static final String OPAQUE = "cursor";

    /** An invalid one is never refused, but replaced in the answer. */
    private static final String REPLACED = "X-Request-Id";

    final List<String> faults = new ArrayList<>();
    final Set<RuleInWords> rulesInWords = EnumSet.noneOf(RuleInWords.class);
    int right;
    int wrong;
    int beyond;

    /** Sends a body, and compares what becomes of it with what its schema says. */
    Optional<Seen> body(ApiCaller caller, Operation operation, String path, String body) {
        List<String> problems = DOCUMENT.requestProblems(operation.method(), operation.path(), body);
        Optional<Seen> answer = ask(caller, operation, path, body);
        answer.ifPresent(seen -> {
            List<String> refusals = refusals(seen);
            boolean isRefused = REFUSALS.contains(seen.status());
            if (!problems.isEmpty()) {
                wrong++;
                require(isRefused || !refusals.isEmpty(), "taken although " + problems, operation, body, seen);
            } else if (isRefused || !refusals.isEmpty()) {
                beyond++;
                require(isInWords(refusals), "refused although it is right", operation, body, seen);
            } else {
                right++;
            }
        });
        return answer;
    }

    /** Sends a request with the text of a parameter where it belongs, and compares likewise. */
    void text(ApiCaller caller, Operation operation, String path, String body, JsonNode parameter, String text) {
        boolean isRight = DOCUMENT.textProblems(parameter.get("schema"), text).isEmpty();
        String name = parameter.get("name").asString();
        ask(caller, operation, path, body).ifPresent(seen -> {
            boolean isRefused = seen.status() == 400 || !isRight && (seen.status() == 404 || seen.status() == 414);
            boolean isTaken = name.equals(REPLACED) ? seen.header(REPLACED).equals(text) : !isRefused;
            right += isRight && isTaken ? 1 : 0;
            wrong += isRight ? 0 : 1;
            beyond += isRight && !isTaken ? 1 : 0;
            boolean isAgreed = isTaken == isRight || isRight && name.equals(OPAQUE);
            String fault = isRight ? "refused although it is right" : "taken although it is wrong";
            require(isAgreed, name + " " + fault, operation, text, seen);
        });
    }

    /** The answer, unless it is not as described, which is a fault as well. */
    private Optional<Seen> ask(ApiCaller caller, Operation operation, String path, String body) {
        try {
            ApiCaller typed = body == null ? caller : caller.with("Content-Type", "application/json");
            Seen seen = typed.send(operation.method(), path, body);
            require(seen.status() < 500, "a failure", operation, path + " " + body, seen);
            return Optional.of(seen);
        } catch (AssertionError undescribed) {
            faults.add(shown(undescribed.getMessage()));
            return Optional.empty();
        }
    }

    /** Why it was refused; the items of a batch are refused each for itself. */
    private static List<String> refusals(Seen seen) {
        List<String> refusals = new ArrayList<>();
        if (seen.text().contains("\"error\":\"invalid_passkey\"")) {
            refusals.add("invalid_passkey");
        } else if (!seen.text().isEmpty()) {
            for (var violation : seen.json().findParents("rule")) {
                if (violation.get("rule").asText().equals("invalid_payload")) {
                    refusals.add(violation.get("message").asText());
                }
            }
        }
        return refusals;
    }

    /** Each reason is a rule that no schema says. */
    private boolean isInWords(List<String> refusals) {
        for (String refusal : refusals) {
            Optional<RuleInWords> rule = RuleInWords.toldOf(refusal);
            if (rule.isEmpty()) {
                return false;
            }
            rulesInWords.add(rule.orElseThrow());
        }
        return !refusals.isEmpty();
    }

    private void require(boolean isSo, String fault, Operation operation, String sent, Seen seen) {
        if (!isSo) {
            faults.add(
                    operation + " " + seen.status() + ", " + fault + ":\n" + shown(sent) + "\n" + shown(seen.text()));
        }
    }

    private static String shown(String text) {
        return text.length() > SHOWN ? text.substring(0, SHOWN) + "..." : text;
    }

    @Override
    public String toString() {
        return right + " right, " + wrong + " wrong, " + beyond + " refused by " + rulesInWords;
    }
}
