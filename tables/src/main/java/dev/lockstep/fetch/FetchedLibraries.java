// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fetch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Libraries that are no part of the program: who first needs them fetches them with Maven, into the user's own repository, where
 * every later one finds them. Their versions and SHA-256 are part of the program; a file that differs is not opened, wherever it
 * comes from.
 */
public final class FetchedLibraries {
    /** Where Maven keeps what it fetched, if not in the usual place. */
    private static final String REPOSITORY = "LOCKSTEP_MAVEN_REPOSITORY";

    private static final double BYTES_PER_MB = 1e6;

    /**
     * A library.
     *
     * @param classifier null for the part that is the same everywhere
     * @param sha256 of the file that is meant, in lower-case hexadecimal digits
     */
    record Library(
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

    private final List<Library> libraries;
    private final Path repository;
    private final String needed;
    private String remark = "";
    private String otherwise = "";

    /**
     * Libraries.
     *
     * @param list group, name, version, classifier (- for none), size in bytes and SHA-256 of each, as in {@code org.example:one:1:-
     *     100 077f…}, with commas between them
     * @param repository where they are, or go
     * @param needed who needs them, as a sentence begins
     */
    public FetchedLibraries(String list, Path repository, String needed) {
        this.repository = repository;
        this.needed = needed;
        libraries = new ArrayList<>();
        for (String line : list.split(",")) {
            String[] parts = line.strip().split("[: ]+");
            libraries.add(new Library(
                    parts[0],
                    parts[1],
                    parts[2],
                    parts[3].equals("-") ? null : parts[3],
                    Long.parseLong(parts[4]),
                    parts[5]));
        }
    }

    /** The user's repository. */
    public static Path repository() {
        String elsewhere = System.getenv(REPOSITORY);
        Path repository = elsewhere != null && !elsewhere.isBlank()
                ? Path.of(elsewhere)
                : Path.of(System.getProperty("user.home"), ".m2", "repository");
        return repository.toAbsolutePath(); // Maven runs in another folder
    }

    /**
     * Says more.
     *
     * @param fetched behind how much is fetched
     * @param instead before what to put where by hand
     */
    public FetchedLibraries saying(String fetched, String instead) {
        remark = fetched;
        otherwise = instead;
        return this;
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
        if (repository
                .toString()
                .contains(File.pathSeparator)) { // what stands behind it would be opened without being asked for
            throw new UserException(
                    ErrorCode.MODULE_MISSING,
                    repository + ": there cannot be libraries in a folder with '" + File.pathSeparator
                            + "' in its path",
                    "Name another one in " + REPOSITORY + ".");
        }
        List<Library> missing = missing();
        if (!missing.isEmpty()) {
            long bytes = missing.stream().mapToLong(Library::bytes).sum();
            say.accept(String.format(
                    Locale.ROOT,
                    "%s: fetching %d files, %.0f MB, from Maven Central into %s",
                    needed,
                    missing.size(),
                    bytes / BYTES_PER_MB,
                    repository));
            say.accept("(only once" + remark + ")");
            String[] before = {""};
            new MavenFetch(repository, () -> {
                        String now = progress(missing, bytes);
                        if (!now.equals(before[0])) {
                            say.accept(now);
                        }
                        before[0] = now;
                    })
                    .fetch(pom(), missing.getFirst().coordinates(), byHand());
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
                    "Delete that file. The next run fetches it again.");
        }
    }

    /** What to put where on a machine that reaches no repository. */
    public String byHand() {
        StringBuilder text =
                new StringBuilder(otherwise + "Without a way to Maven Central or a mirror, put these files of another"
                        + " machine's repository into " + repository + " (path, bytes, SHA-256):");
        missing()
                .forEach(library -> text.append("\n  ")
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
                + "<artifactId>fetched</artifactId><version>1</version><packaging>pom</packaging><dependencies>\n");
        libraries.forEach(library -> text.append(library.dependency()));
        return text.append("</dependencies></project>\n").toString();
    }
}
