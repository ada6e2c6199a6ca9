// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.write.ScratchFolder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How worker processes are started. */
public final class WorkerCommand {
    private static final String MAIN = "dev.lockstep.libtorch.worker.Worker";

    /**
     * Idle threads that spin make everything slow on a busy machine; BLAS beside the framework's own threads, too. Memory
     * that was freed is kept: to get it from the system and give it back, call by call, costs more than many operators.
     */
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "OMP_WAIT_POLICY",
            "PASSIVE",
            "OPENBLAS_NUM_THREADS",
            "1",
            "MALLOC_ARENA_MAX",
            "1",
            "MALLOC_MMAP_THRESHOLD_",
            Long.toString(32 << 20),
            "MALLOC_TRIM_THRESHOLD_",
            Long.toString(1 << 30),
            "MALLOC_TOP_PAD_",
            Long.toString(32 << 20));

    private WorkerCommand() {}

    /** What is added to the environment of a worker. */
    static Map<String, String> environment(WorkerSettings settings) {
        Map<String, String> environment = new LinkedHashMap<>(ENVIRONMENT);
        environment.put("OMP_NUM_THREADS", Integer.toString(settings.threads()));
        return environment;
    }

    /** The command that starts a worker with these libraries, on the Java and with the program of this process. */
    public static List<String> of(List<Path> libraries) {
        List<String> classPath = new ArrayList<>();
        classPath.add(System.getProperty("java.class.path"));
        libraries.forEach(library -> classPath.add(library.toString()));
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                // Crashes are reported by the program, not by files beside it.
                "-XX:ErrorFile=" + (File.separatorChar == '/' ? "/dev/null" : "NUL"),
                "--enable-native-access=ALL-UNNAMED",
                // Native memory is watched from outside; the bindings would count all of it against the heap.
                "-Dorg.bytedeco.javacpp.maxBytes=0",
                "-Dorg.bytedeco.javacpp.maxPhysicalBytes=0",
                "-Dorg.bytedeco.javacpp.cachedir=" + unpacked(Path.of(System.getProperty("user.home"))),
                "-cp",
                String.join(File.pathSeparator, classPath),
                MAIN);
    }

    /**
     * Where libraries unpack themselves, and find themselves again: below the user's home. The bindings would go on to the
     * system's temporary folder where that is impossible, and load what another user had put there; a folder of this run is
     * used instead, which goes with it.
     */
    static Path unpacked(Path home) {
        Path cache = home.resolve(".javacpp").resolve("cache");
        Path existing = cache;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && home.isAbsolute() && Files.isDirectory(existing) && Files.isWritable(existing)
                ? cache
                : ScratchFolder.temporary().path();
    }
}
