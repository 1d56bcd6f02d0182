package dev.agentpolicy.archfixture.app;

import com.fasterxml.jackson.core.JsonParser;

/** Breaks a rule on purpose: JSON is spoken at the front door only. */
final class SpeaksJson {
    private final Class<?> json = JsonParser.class;
}
