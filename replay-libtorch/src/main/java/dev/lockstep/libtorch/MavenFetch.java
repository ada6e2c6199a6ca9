// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Fetches libraries with Maven, which knows the user's mirrors and proxies: the project's wrapper, else mvn. */
final class MavenFetch {
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
    private static final int DEEPEST = 6;
    private static final int SHOWN = 600;

    private static final long PROGRESS_S = 5;

    private final Path repository;
    private final Runnable progress;

    /**
     * @param repository where libraries go
     * @param progress runs every few seconds while they come
     */
    MavenFetch(Path repository, Runnable progress) {
        this.repository = repository;
        this.progress = progress;
    }

    /** Resolves the dependencies of a POM; {@code example} is named where that fails. */
    void fetch(String pom, String example) throws IOException {
        Path folder = Files.createTempDirectory("lockstep-natives");
        String said = "there is no Maven: no wrapper beside the program, no mvn on the PATH";
        try {
            Files.writeString(folder.resolve("pom.xml"), pom);
            for (String maven : programs()) {
                List<String> command = new ArrayList<>(List.of(
                        maven,
                        "-B",
                        "-q",
                        "-C", // what was damaged on its way is refused
                        "-U", // what failed before is tried again
                        "-Dstyle.color=never",
                        "-f",
                        folder.resolve("pom.xml").toString(),
                        "-Dmaven.repo.local=" + repository,
                        "-Dmdep.outputFile=" + folder.resolve("classpath"),
                        GOAL));
                @Nullable String failure = run(command, folder);
                if (failure == null) {
                    return;
                }
                said = failure;
            }
        } finally {
            Files.deleteIfExists(folder.resolve("pom.xml"));
            Files.deleteIfExists(folder.resolve("classpath"));
            Files.deleteIfExists(folder.resolve("output"));
            Files.deleteIfExists(folder);
        }
        throw new UserException(
                ErrorCode.MODULE_MISSING,
                "cannot fetch " + example + ": " + said,
                "It needs a way to Maven Central, or to the mirror that Maven's settings name; the next run goes on where"
                        + " this one ended. Or copy the folder org/bytedeco of another machine's repository into "
                        + repository + ".");
    }

    private static List<String> programs() {
        List<String> found = new ArrayList<>();
        @Nullable Path folder = home();
        for (int i = 0; i < DEEPEST && folder != null; i++) {
            if (Files.isExecutable(folder.resolve("mvnw"))) {
                found.add(folder.resolve("mvnw").toString());
                break;
            }
            folder = folder.getParent();
        }
        for (String entry : String.valueOf(System.getenv("PATH")).split(File.pathSeparator)) {
            Path mvn = Path.of(entry).resolve("mvn");
            if (Files.isExecutable(mvn)) {
                found.add(mvn.toString());
                break;
            }
        }
        return found;
    }

    private static @Nullable Path home() {
        try {
            return Path.of(MavenFetch.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            return null;
        }
    }

    /** The first complaint, without colours and advice. */
    static String cause(String said) {
        String plain = said.replaceAll("\u001b\\[[0-9;]*m", "")
                .replaceAll("\\[ERROR\\]\\s*", "")
                .strip();
        int advice = plain.indexOf(" -> [Help");
        String first = advice < 0 ? plain : plain.substring(0, advice);
        return first.substring(0, Math.min(SHOWN, first.length()));
    }

    /** What it said when it failed; null when it did not. */
    private @Nullable String run(List<String> command, Path folder) throws IOException {
        Path output = folder.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        process.getOutputStream().close();
        try {
            while (!process.waitFor(PROGRESS_S, TimeUnit.SECONDS)) {
                progress.run();
            }
            return process.exitValue() == 0 ? null : cause(Files.readString(output));
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
