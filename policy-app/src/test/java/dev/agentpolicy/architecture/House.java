package dev.agentpolicy.architecture;

import java.util.List;
import java.util.stream.Stream;

/**
 * The rooms of the service by their package names. The one place that spells them, since a rule about a package that
 * does not exist holds without a word.
 *
 * @param root what every package name begins with
 */
record House(String root) {

    /** The service itself. */
    static final House OURS = new House("dev.agentpolicy");

    /** Small classes that each break one rule, so that every rule is seen to fail. */
    static final House SEEDED = new House("dev.agentpolicy.archfixture");

    /** The rooms of the domain; each may look only at those before it. */
    static final List<String> ROOMS = List.of(
            "document",
            "quantity",
            "rule",
            "trade",
            "ips",
            "portfolio",
            "agent",
            "decision",
            "request",
            "event",
            "usage",
            "account",
            "port",
            "usecase",
            "sandbox");

    String domain() {
        return root + ".domain";
    }

    String room(String name) {
        if (!ROOMS.contains(name)) {
            throw new IllegalArgumentException("There is no room " + name + " in the domain.");
        }
        return domain() + "." + name;
    }

    String http() {
        return root + ".adapter.http";
    }

    String jdbc() {
        return root + ".adapter.jdbc";
    }

    String signing() {
        return root + ".adapter.signing";
    }

    /** What every adapter may use. */
    String files() {
        return root + ".adapter.files";
    }

    String app() {
        return root + ".app";
    }

    /** The adapters, none of which knows another. */
    List<String> adapters() {
        return List.of(http(), jdbc(), signing());
    }

    /** Every package that has a name here. */
    Stream<String> packages() {
        return Stream.concat(ROOMS.stream().map(this::room), Stream.of(http(), jdbc(), signing(), files(), app()));
    }

    /** A package and what lies under it, as ArchUnit writes it. */
    static String under(String name) {
        return name + "..";
    }
}
