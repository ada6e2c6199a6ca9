// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fetch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.write.ScratchFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fetches libraries with the user's Maven, which knows his mirrors and proxies: mvn of an absolute folder of the PATH. No
 * other program is run, and none that lies beside this one, above it or in the current folder.
 */
final class MavenFetch {
    private static final String GOAL = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";
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

    /**
     * Resolves the dependencies of a POM.
     *
     * @param example is named where that fails
     * @param byHand what the user can do then
     */
    void fetch(String pom, String example, String byHand) throws IOException {
        String said = "there is no mvn on the PATH";
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            Path folder = scratch.path();
            Files.createDirectory(folder.resolve(".mvn")); // else Maven takes settings from the folders above
            NamedFiles.write(folder.resolve("pom.xml"), pom);
            Path maven = program(String.valueOf(System.getenv("PATH")));
            @Nullable String failure = maven == null ? said : run(command(maven, folder), folder);
            if (failure == null) {
                return;
            }
            said = failure;
        }
        throw new UserException(ErrorCode.MODULE_MISSING, "cannot fetch " + example + ": " + said, byHand);
    }

    private List<String> command(Path maven, Path folder) {
        return List.of(
                maven.toString(),
                "-B",
                "-q",
                "-C", // what was damaged on its way is refused
                "-U", // what failed before is tried again
                "-Dstyle.color=never",
                "-f",
                folder.resolve("pom.xml").toString(),
                "-Dmaven.repo.local=" + repository,
                "-Dmdep.outputFile=" + folder.resolve("classpath"),
                GOAL);
    }

    /** The first mvn in an absolute folder of a PATH; null without. Other folders are whatever lies there by chance. */
    static @Nullable Path program(String path) {
        for (String entry : path.split(File.pathSeparator)) {
            Path folder = Path.of(entry);
            if (folder.isAbsolute()
                    && Files.isRegularFile(folder.resolve("mvn"))
                    && Files.isExecutable(folder.resolve("mvn"))) {
                return folder.resolve("mvn");
            }
        }
        return null;
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
        Thread end = new Thread(process::destroy, "lockstep-maven-end");
        Runtime.getRuntime().addShutdownHook(end);
        process.getOutputStream().close();
        try {
            while (!process.waitFor(PROGRESS_S, TimeUnit.SECONDS)) {
                progress.run();
            }
            Runtime.getRuntime().removeShutdownHook(end);
            return process.exitValue() == 0 ? null : cause(NamedFiles.text(output));
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
