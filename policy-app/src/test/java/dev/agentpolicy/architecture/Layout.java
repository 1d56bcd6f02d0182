package dev.agentpolicy.architecture;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The rooms of the service by their package names. The one place that spells them: a rule about a package that does
 * not exist would always hold.
 *
 * @param root what every package name begins with
 */
record Layout(String root) {

    /** The service itself. */
    static final Layout OURS = new Layout("dev.agentpolicy");

    /** Small classes that each break one rule, so that every rule is seen to fail. */
    static final Layout SEEDED = new Layout("dev.agentpolicy.archfixture");

    /** The rooms of the domain in their order. */
    static final List<String> DOMAIN = List.of(
            "document",
            "quantity",
            "rule",
            "trade",
            "ips",
            "portfolio",
            "agent",
            "custodian",
            "decision",
            "compare",
            "request",
            "event.canonical",
            "event.passkey",
            "event.signing",
            "event.chain",
            "event.anchor",
            "event.tlog",
            "event.content",
            "event.page",
            "event.recompute",
            "usage",
            "account",
            "port.signin",
            "port",
            "usecase",
            "usecase.agent",
            "usecase.signin",
            "usecase.custodian",
            "usecase.request",
            "usecase.policy",
            "usecase.connection",
            "usecase.upkeep",
            "sandbox");

    private static final String MODULE_ROOT = "";

    private static final List<String> JDBC = List.of(
            "dialect",
            "connect",
            "sql",
            "async",
            "cache",
            "commit",
            "log",
            "store",
            "usage",
            "rate",
            "backup",
            "distribution",
            MODULE_ROOT);

    private static final List<String> HTTP =
            List.of("json", "wire", "metric", "route", "agent", "mcp", "authzen", "app", "oauth", "console", "server");

    private static final List<String> APP = List.of(
            "mail",
            "config",
            "security",
            "passkey",
            "custodian",
            "connection",
            "guard",
            "push",
            "anchor",
            "tlog",
            "verify",
            MODULE_ROOT);

    /**
     * A package and those of the same module that it must not look at.
     *
     * @param name the package, without those under it
     * @param above the rooms after it in the order of its module
     */
    record Room(String name, List<String> above) {}

    /** Every room of every module but the last of each, which may look at all others. */
    List<Room> rooms() {
        return Stream.of(rooms(domain(), DOMAIN), rooms(jdbc(), JDBC), rooms(http(), HTTP), rooms(app(), APP))
                .flatMap(List::stream)
                .toList();
    }

    private static List<Room> rooms(String module, List<String> names) {
        List<String> packages = names.stream()
                .map(name -> name.isEmpty() ? module : module + "." + name)
                .toList();
        return IntStream.range(0, packages.size() - 1)
                .mapToObj(place -> new Room(packages.get(place), packages.subList(place + 1, packages.size())))
                .toList();
    }

    String domain() {
        return root + ".domain";
    }

    String room(String name) {
        if (!DOMAIN.contains(name)) {
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

    String custodian() {
        return root + ".adapter.custodian";
    }

    /** What every adapter may use. */
    String files() {
        return root + ".adapter.files";
    }

    String app() {
        return root + ".app";
    }

    /** The adapters, none of which uses another. */
    List<String> adapters() {
        return List.of(http(), jdbc(), signing(), custodian());
    }

    /** Every package that has a name here. */
    Stream<String> packages() {
        Stream<String> withRooms = rooms().stream()
                .flatMap(room -> Stream.concat(Stream.of(room.name()), room.above().stream()))
                .distinct();
        return Stream.concat(withRooms, Stream.of(signing(), custodian(), files()));
    }

    /** A package and what lies under it, as ArchUnit writes it. */
    static String under(String name) {
        return name + "..";
    }
}
