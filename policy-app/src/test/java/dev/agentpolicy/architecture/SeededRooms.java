package dev.agentpolicy.architecture;

import static java.util.Locale.ROOT;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Makes a class for each room of the seeded house that breaks the order on purpose: it looks into the last room. */
final class SeededRooms {
    private static final String TOP = "TopRoom";

    private SeededRooms() {}

    /** The class that breaks the order of a room: {@code EventChainLooksUp} for {@code domain.event.chain}. */
    static String lookingUp(Layout house, Layout.Room room) {
        StringBuilder seeded = new StringBuilder();
        String name = room.name().substring(house.root().length() + 1).replaceFirst("^domain[.]", "");
        for (String part : name.split("[.]")) {
            seeded.append(part.substring(0, 1).toUpperCase(ROOT)).append(part.substring(1));
        }
        return seeded.append("LooksUp").toString();
    }

    /** Writes and compiles the classes of all rooms into a folder. */
    static void compile(Path folder) throws IOException {
        List<String> files = new ArrayList<>();
        for (Layout.Room room : Layout.SEEDED.rooms()) {
            String top = room.above().get(room.above().size() - 1);
            files.add(source(folder, top, TOP, ""));
            files.add(source(
                    folder,
                    room.name(),
                    lookingUp(Layout.SEEDED, room),
                    "private final Class<?> above = " + top + "." + TOP + ".class;"));
        }
        List<String> arguments = Stream.concat(
                        Stream.of("-proc:none", "-d", folder.toString()),
                        files.stream().distinct())
                .toList();
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)) != 0) {
            throw new IllegalStateException("The seeded classes of the rooms do not compile.");
        }
    }

    private static String source(Path folder, String room, String name, String body) throws IOException {
        Path file = folder.resolve(room.replace('.', '/')).resolve(name + ".java");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "package " + room + "; public final class " + name + " {" + body + "}");
        return file.toString();
    }
}
