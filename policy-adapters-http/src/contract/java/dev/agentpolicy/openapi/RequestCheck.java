package dev.agentpolicy.openapi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Checks a request against the description: valid requests must be accepted and invalid ones refused. */
final class RequestCheck {
    /** Numbers with more digits than any amount, and unpaired surrogates. */
    private static final Pattern OUTLANDISH =
            Pattern.compile("[0-9][eE][+-]?[0-9]{2,}|[0-9.]{40,}|\\\\u[dD][89a-fA-F]");

    /** RFC 3339 allows offsets up to 23:59 and java.time up to 18:00; real offsets end at 14:00. */
    private static final Pattern OFFSET_OF_NOBODY = Pattern.compile("T.*[+-](1[89]|2[0-3]):[0-5][0-9]$");

    private final OpenApiDocument document;
    private final Operation operation;

    RequestCheck(OpenApiDocument document, Operation operation) {
        this.document = document;
        this.operation = operation;
    }

    List<String> problems(Exchange exchange) {
        List<String> problems = new ArrayList<>();
        if (exchange.isAccepted() || exchange.status() == 400) {
            parameters(exchange, problems);
            body(exchange, problems);
        }
        return problems;
    }

    private void body(Exchange exchange, List<String> problems) {
        String sent = exchange.sent();
        if (sent == null || operation.requestSchema().isMissingNode()) {
            return;
        }
        List<String> wrong = document.requestProblems(operation, sent);
        boolean isRefused = (exchange.status() == 400 || operation.answersInvalidBodies())
                && exchange.body().contains("\"invalid_payload\"");
        if (isRefused && wrong.isEmpty()) {
            boolean isBeyond = RuleInWords.toldOf(exchange.body()).isPresent()
                    || OUTLANDISH.matcher(sent).find();
            add(problems, !isBeyond, "The body was refused and is right by the description.");
        } else {
            add(problems, exchange.isAccepted() && !isRefused && !wrong.isEmpty(), "The body was accepted: " + wrong);
        }
    }

    private void parameters(Exchange exchange, List<String> problems) {
        for (JsonNode each : operation.node().path("parameters")) {
            JsonNode parameter = document.resolve(each);
            String name = parameter.path("name").asString();
            List<String> values = values(exchange.query(), name);
            if (parameter.path("in").asString().equals("query") && !values.isEmpty()) {
                // What stands for broken text may also have been sent.
                boolean isText =
                        values.get(0).indexOf('\ufffd') < 0 || exchange.query().contains("%EF%BF%BD");
                boolean isRight = values.size() == 1
                        && isText
                        && document.textProblems(parameter.get("schema"), values.get(0))
                                .isEmpty();
                boolean isRefused = message(exchange).startsWith(name + " ");
                add(problems, exchange.isAccepted() && !isRight, "Parameter " + name + " was accepted: " + values);
                boolean isOpaque = name.equals("cursor")
                        || OFFSET_OF_NOBODY.matcher(values.get(0)).find();
                add(problems, isRefused && isRight && !isOpaque, "Parameter " + name + " was refused: " + values);
            }
        }
    }

    /** The decoded text of a parameter; null when its encoding is broken. */
    private static List<String> values(String query, String name) {
        return Stream.of(query.split("&"))
                .map(pair -> pair.split("=", 2))
                .filter(pair -> decoded(pair[0]).equals(name))
                .map(pair -> pair.length == 1 ? "" : decoded(pair[1]))
                .toList();
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException broken) {
            return "\ufffd";
        }
    }

    private static String message(Exchange exchange) {
        try {
            return exchange.status() == 400
                    ? Json.read(exchange.body()).path("message").asString("")
                    : "";
        } catch (JacksonException malformed) {
            return "";
        }
    }

    private static void add(List<String> problems, boolean isProblem, String problem) {
        if (isProblem) {
            problems.add(problem);
        }
    }
}
