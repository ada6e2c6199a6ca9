// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How worker processes are started. */
public final class Workers {
    private static final String MAIN = "dev.lockstep.libtorch.worker.Worker";

    private Workers() {}

    /** The command that starts a worker with these libraries, on the Java and with the program of this process. */
    public static List<String> command(List<Path> libraries) {
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
                "-cp",
                String.join(File.pathSeparator, classPath),
                MAIN);
    }
}
