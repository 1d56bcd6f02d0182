package dev.agentpolicy.app;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes of this build for processes of their own. Folders of classes become jars, since only classes of jars can be
 * kept in an archive of the virtual machine, with which a start takes half. The archive is that of a service which was
 * started once and called; it is kept under target for as long as no class changes.
 */
public final class ServiceClasses {
    private static final Path FOLDER = Path.of("target", "service").toAbsolutePath();
    private static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    private static final Path MADE_OF = FOLDER.resolve("made-of.txt");

    /** The archive is written at the end, which a busy machine takes long for. */
    private static final long MAX_SECONDS_OF_AN_END = 600;

    private static List<String> options;

    private ServiceClasses() {}

    /** Options of the java program: class path and archive. */
    public static synchronized List<String> options() throws IOException, InterruptedException {
        if (options == null) {
            options = made();
        }
        return options;
    }

    /** Makes them, or finds that they were made: other processes run tests of the same build. */
    private static List<String> made() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        List<Path> classPath = Stream.of(
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                                .split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::exists)
                .toList();
        List<String> jars = new ArrayList<>();
        for (Path entry : classPath) {
            jars.add(Files.isDirectory(entry) ? jarOf(jars.size()).toString() : entry.toString());
        }
        List<String> plain = List.of("-cp", String.join(File.pathSeparator, jars));
        try (FileChannel file =
                FileChannel.open(FOLDER.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            file.lock();
            String madeOf = madeOf(classPath);
            if (!Files.exists(MADE_OF) || !Files.readString(MADE_OF).equals(madeOf)) {
                Files.deleteIfExists(MADE_OF);
                Files.deleteIfExists(ARCHIVE);
                for (int i = 0; i < jars.size(); i++) {
                    if (Files.isDirectory(classPath.get(i))) {
                        write(classPath.get(i), Path.of(jars.get(i)));
                    }
                }
                archive(plain);
                Files.writeString(MADE_OF, madeOf);
            }
        }
        if (!Files.exists(ARCHIVE)) {
            return plain;
        }
        List<String> with = new ArrayList<>(plain);
        // An archive that does not fit is not used; what the machine says of that would be on stdout.
        with.addAll(List.of("-XX:SharedArchiveFile=" + ARCHIVE, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        return with;
    }

    private static Path jarOf(int place) {
        return FOLDER.resolve("classes-" + place + ".jar");
    }

    /** Whatever makes other jars or another archive: the files with their times, and the virtual machine. */
    private static String madeOf(List<Path> classPath) throws IOException {
        StringBuilder all = new StringBuilder(Runtime.version() + "\n");
        for (Path entry : classPath) {
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    all.append(file)
                            .append(' ')
                            .append(Files.getLastModifiedTime(file))
                            .append('\n');
                }
            }
        }
        return all.toString();
    }

    private static void write(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(file);
                Stream<Path> all = Files.walk(classes)) {
            zip.setLevel(0);
            for (Path each : all.sorted(Comparator.naturalOrder()).skip(1).toList()) {
                String name = classes.relativize(each).toString().replace(File.separatorChar, '/');
                zip.putNextEntry(new ZipEntry(Files.isDirectory(each) ? name + "/" : name));
                if (Files.isRegularFile(each)) {
                    Files.copy(each, zip);
                }
                zip.closeEntry();
            }
        }
    }

    private static void archive(List<String> classPath) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory(FOLDER, "start");
        List<String> options = new ArrayList<>(classPath);
        options.addAll(List.of("-XX:ArchiveClassesAtExit=" + ARCHIVE, "-Xlog:cds=off", "-Xlog:cds+dynamic=off"));
        try (ServiceProcess service = ServiceProcess.with(
                options, folder, ServiceNode.environment(folder, Database.H2.fresh(folder), Map.of()))) {
            ApiCaller agent =
                    TestHousehold.withPolicy(new ApiCaller(service.address())).agent();
            agent.post(TestHousehold.API + "trades/propose", TestHousehold.trade("buy", "SPY", "tradfi", "1"))
                    .ok();
            service.terminate();
            service.exitCode(MAX_SECONDS_OF_AN_END);
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
        if (!Files.exists(ARCHIVE)) {
            System.err.println("This virtual machine made no archive of the service's classes; starts take longer.");
        }
    }
}
