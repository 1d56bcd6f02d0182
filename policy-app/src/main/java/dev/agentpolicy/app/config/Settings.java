package dev.agentpolicy.app.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads typed values from environment variables; an empty variable counts as absent. */
final class Settings {
    private static final String OURS = "POLICY_";

    /** Variables that are read by commands beside {@code serve}. */
    private static final Set<String> OF_COMMANDS = Set.of("POLICY_AGENT_KEY");

    /** Hosts that are this machine, as {@link URI} writes them. */
    private static final Pattern LOOPBACK =
            Pattern.compile("localhost|127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]");

    private static final Pattern SERVER = Pattern.compile("([^\\s:/?#\\[\\]]+|\\[[0-9a-fA-F:.]+]):[0-9]{1,5}");

    private final Map<String, String> environment;
    private final NavigableSet<String> read = new TreeSet<>();

    Settings(Map<String, String> environment) {
        this.environment = environment;
    }

    Optional<String> text(String name) {
        read.add(name);
        return Optional.ofNullable(environment.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    int number(String name, int least, int most, int otherwise) {
        return number(name, least, most).orElse(otherwise);
    }

    OptionalInt number(String name, int least, int most) {
        return text(name)
                .map(value -> OptionalInt.of(number(name, value, least, most)))
                .orElse(OptionalInt.empty());
    }

    /** One of the constants of an enum, in small letters. */
    <E extends Enum<E>> E choice(String name, E otherwise) {
        return text(name).map(value -> choice(name, value, otherwise)).orElse(otherwise);
    }

    Path path(String name, String otherwise) {
        String value = text(name).orElse(otherwise);
        try {
            return Path.of(value);
        } catch (InvalidPathException malformed) {
            throw new CannotStart(name + " must be a path of a file, not '" + value + "'.", malformed);
        }
    }

    /** A JDBC address; it may hold a password, so a wrong one is not repeated. */
    Optional<String> jdbcUrl(String name) {
        Optional<String> url = text(name);
        if (url.isPresent() && !url.get().startsWith("jdbc:h2:") && !url.get().startsWith("jdbc:postgresql:")) {
            throw new CannotStart(name + " must begin with jdbc:h2: or jdbc:postgresql:.");
        }
        return url;
    }

    /** Servers, each as {@code host:port}, by other names of the same form: {@code name=server}, separated by commas. */
    Map<String, String> servers(String name) {
        Map<String, String> servers = new HashMap<>();
        for (String pair : text(name).map(value -> value.split(",")).orElse(new String[0])) {
            String[] parts = pair.strip().split("=", -1);
            if (parts.length != 2 || !Stream.of(parts).allMatch(SERVER.asMatchPredicate())) {
                throw new CannotStart(
                        name + " must be pairs such as worker1:5432=10.0.0.1:5432, separated by commas, not '"
                                + pair.strip() + "'.");
            }
            servers.put(parts[0], parts[1]);
        }
        return servers;
    }

    /** The address of a page, without a slash at its end. */
    Optional<URI> address(String name) {
        return text(name).map(value -> address(name, value));
    }

    /**
     * The address of a broker, without a slash at its end. Credentials are sent there, so it is https, except on this
     * machine itself.
     */
    URI broker(String name, String otherwise) {
        String value = text(name).orElse(otherwise);
        URI address = address(name, value);
        String path = address.getRawPath();
        if (!path.isEmpty()) {
            throw new CannotStart(
                    name + " must be an address without a path such as " + path + ", not '" + value + "'.");
        }
        if (address.getRawUserInfo() != null) {
            throw new CannotStart(name + " must be an address without a login.");
        }
        if (!"https".equals(address.getScheme())
                && !LOOPBACK.matcher(address.getHost()).matches()) {
            throw new CannotStart(name + " must be an https address, or an http address of this machine (127.0.0.1, ::1"
                    + " or localhost), not '" + value + "'.");
        }
        return address;
    }

    /** Variables that look like ours and were not asked for: misspelt ones, most likely. */
    NavigableSet<String> unknown() {
        NavigableSet<String> unknown = new TreeSet<>();
        environment.keySet().stream()
                .filter(name -> name.startsWith(OURS) && !read.contains(name) && !OF_COMMANDS.contains(name))
                .forEach(unknown::add);
        return unknown;
    }

    private static int number(String name, String value, int least, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            // Said below, as for a number out of range.
        }
        throw new CannotStart(
                name + " must be a whole number from " + least + " to " + most + ", not '" + value + "'.");
    }

    private static <E extends Enum<E>> E choice(String name, String value, E otherwise) {
        try {
            return Enum.valueOf(otherwise.getDeclaringClass(), value.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            StringBuilder choices = new StringBuilder();
            for (E choice : otherwise.getDeclaringClass().getEnumConstants()) {
                choices.append(choices.isEmpty() ? "" : " or ")
                        .append(choice.name().toLowerCase(Locale.ROOT));
            }
            throw new CannotStart(name + " must be " + choices + ", not '" + value + "'.", unknown);
        }
    }

    private static URI address(String name, String value) {
        try {
            URI address = new URI(value.endsWith("/") ? value.substring(0, value.length() - 1) : value);
            boolean isWeb = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
            if (isWeb && address.getHost() != null && address.getQuery() == null && address.getFragment() == null) {
                return address;
            }
        } catch (URISyntaxException malformed) {
            // Said below, as for an address of another kind.
        }
        throw new CannotStart(name + " must be an http or https address, not '" + value + "'.");
    }
}
