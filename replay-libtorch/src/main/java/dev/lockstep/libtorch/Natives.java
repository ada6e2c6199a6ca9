// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Properties;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The libraries that a worker needs. They are no part of the program: the first replay fetches them with Maven, into the
 * user's own repository, where every later one finds them. Their versions and SHA-256 are part of the program; a file that
 * differs is not opened, wherever it comes from.
 */
public final class Natives {
    /** Where Maven keeps what it fetched, if not in the usual place. */
    private static final String REPOSITORY = "LOCKSTEP_MAVEN_REPOSITORY";

    private static final double BYTES_PER_MB = 1e6;

    /**
     * A library.
     *
     * @param classifier null for the part that is the same everywhere
     * @param sha256 of the file that is meant, in lower-case hexadecimal digits
     */
    private record Library(
            String group,
            String name,
            String version,
            @Nullable String classifier,
            long bytes,
            String sha256) {
        private Path in(Path repository) {
            return repository.resolve(path());
        }

        /** Where it lies in a repository. */
        private String path() {
            return group.replace('.', '/') + "/" + name + "/" + version + "/" + name + "-" + version
                    + (classifier == null ? "" : "-" + classifier) + ".jar";
        }

        private String coordinates() {
            return group + ":" + name + ":" + version + (classifier == null ? "" : ":" + classifier);
        }

        private String dependency() {
            return "<dependency><groupId>" + group + "</groupId><artifactId>" + name + "</artifactId><version>"
                    + version
                    + "</version>" + (classifier == null ? "" : "<classifier>" + classifier + "</classifier>")
                    + "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
                    + "</dependency>\n";
        }
    }

    private final String version;
    private final List<Library> libraries;
    private final Path repository;

    private Natives(String version, List<Library> libraries, Path repository) {
        this.version = version;
        this.libraries = List.copyOf(libraries);
        this.repository = repository;
    }

    /**
     * The libraries for a device on this machine.
     *
     * @throws UserException when there are none for this kind of machine
     */
    public static Natives of(String device) {
        String elsewhere = System.getenv(REPOSITORY);
        return of(
                device,
                elsewhere != null ? Path.of(elsewhere) : Path.of(System.getProperty("user.home"), ".m2", "repository"));
    }

    static Natives of(String device, Path repository) {
        return of(known(), device, repository);
    }

    static Natives of(Properties known, String device, Path repository) {
        String platform = platform();
        String set = device.equals("cuda") ? platform + "-gpu" : platform;
        if (!known.containsKey(set)) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    "there is no libtorch with Java bindings for " + set,
                    "A plan can be exported as a script for the PyTorch of that machine.");
        }
        List<Library> libraries = new ArrayList<>();
        for (String line : known.getProperty(set).split(",")) {
            String[] parts = line.strip().split("[: ]+");
            libraries.add(new Library(
                    parts[0],
                    parts[1],
                    parts[2],
                    parts[3].equals("-") ? null : parts[3],
                    Long.parseLong(parts[4]),
                    parts[5]));
        }
        return new Natives(Objects.requireNonNull(known.getProperty("version")), libraries, repository);
    }

    /** The libraries that the program knows, by kind of machine. */
    static Properties known() {
        Properties known = new Properties();
        try (InputStream in = Objects.requireNonNull(Natives.class.getResourceAsStream("libtorch.properties"))) {
            known.load(in);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return known;
    }

    /** The kind of this machine. */
    static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String machine = System.getProperty("os.arch");
        String cpu = machine.equals("amd64") ? "x86_64" : machine.equals("aarch64") ? "arm64" : machine;
        String name = system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "macosx" : system;
        return name + "-" + cpu;
    }

    /** Version of the framework. */
    public String version() {
        return version;
    }

    /** Whether all of them are on this machine. */
    public boolean arePresent() {
        return missing().isEmpty();
    }

    private List<Library> missing() {
        return libraries.stream()
                .filter(library -> !Files.isRegularFile(library.in(repository)))
                .toList();
    }

    /**
     * The class path of the libraries; fetches what is missing.
     *
     * @param say takes what is fetched, from where, and how large it is, before it is fetched
     * @throws UserException when it cannot be fetched
     */
    public List<Path> classPath(Consumer<String> say) throws IOException {
        List<Library> missing = missing();
        if (!missing.isEmpty()) {
            long bytes = missing.stream().mapToLong(Library::bytes).sum();
            say.accept(String.format(
                    Locale.ROOT,
                    "a replay needs libtorch %s: fetching %d files, %.0f MB, from Maven Central into %s",
                    version,
                    missing.size(),
                    bytes / BYTES_PER_MB,
                    repository));
            say.accept("(only once; on its first start it unpacks about 450 MB into ~/.javacpp/cache)");
            String[] before = {""};
            new MavenFetch(repository, () -> {
                        String now = progress(missing, bytes);
                        if (!now.equals(before[0])) {
                            say.accept(now);
                        }
                        before[0] = now;
                    })
                    .fetch(pom(), missing.getFirst().coordinates(), byHand(missing, repository));
            if (!arePresent()) {
                throw new UserException(
                        ErrorCode.MODULE_MISSING,
                        "Maven did not put " + missing().getFirst().coordinates() + " into " + repository,
                        "If your Maven keeps its repository elsewhere, name the folder in " + REPOSITORY + ".");
            }
        }
        for (Library library : libraries) {
            demandGenuine(library);
        }
        return libraries.stream().map(library -> library.in(repository)).toList();
    }

    /** Nothing is opened before: neither the worker nor this process looks into a file that is another one. */
    private void demandGenuine(Library library) throws IOException {
        Path file = library.in(repository);
        String found = Sha256.of(file);
        if (!found.equals(library.sha256)) {
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    file + " is damaged, or not the file that was published: its SHA-256 is " + found + ", not "
                            + library.sha256,
                    "Delete that file; the next run fetches it again.");
        }
    }

    /** What to put where on a machine that reaches no repository. */
    private static String byHand(List<Library> missing, Path repository) {
        StringBuilder text = new StringBuilder("Without a way to Maven Central or a mirror, put these files of another"
                + " machine's repository into " + repository + " (path, bytes, SHA-256):");
        missing.forEach(library -> text.append("\n  ")
                .append(library.path())
                .append(' ')
                .append(library.bytes)
                .append(' ')
                .append(library.sha256));
        return text.toString();
    }

    private String progress(List<Library> missing, long bytes) {
        long come = missing.stream()
                .mapToLong(library -> come(library.in(repository)))
                .sum();
        return String.format(Locale.ROOT, "fetched %.0f of %.0f MB", come / BYTES_PER_MB, bytes / BYTES_PER_MB);
    }

    /** Size of a file, or of what Maven has of it: that lies beside it, under a longer name. */
    private static long come(Path file) {
        try (Stream<Path> beside = Files.list(file.getParent())) {
            return beside.filter(path -> path.getFileName().toString().startsWith(file.getFileName() + ".")
                                    && !path.toString().endsWith(".sha1")
                            || path.equals(file))
                    .mapToLong(path -> path.toFile().length())
                    .max()
                    .orElse(0);
        } catch (IOException e) {
            return 0; // Maven has not begun with it
        }
    }

    private String pom() {
        StringBuilder text = new StringBuilder("<project xmlns=\"http://maven.apache.org/POM/4.0.0\">"
                + "<modelVersion>4.0.0</modelVersion><groupId>dev.lockstep</groupId>"
                + "<artifactId>natives</artifactId><version>1</version><packaging>pom</packaging><dependencies>\n");
        libraries.forEach(library -> text.append(library.dependency()));
        return text.append("</dependencies></project>\n").toString();
    }
}
