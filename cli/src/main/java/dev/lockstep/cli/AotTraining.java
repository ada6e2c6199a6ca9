// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.write.ScratchFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The training run of the AOT cache: the launcher starts it once after a build, and the JVM keeps the classes that it
 * loads and what it learned about hot methods. What users start often belongs into {@link #runs}.
 */
public final class AotTraining {
    private static final int ROUNDS = 3;

    private AotTraining() {}

    /** Runs {@link #runs} in this process and drops their output; a training run that fails costs speed, nothing else. */
    public static void main(String[] args) throws IOException {
        PrintWriter nowhere = new PrintWriter(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        try (ScratchFolder scratch = ScratchFolder.temporary()) {
            for (List<String> run : runs(scratch.path())) {
                Main.run(nowhere, nowhere, run.toArray(String[]::new));
            }
        }
    }

    private static List<List<String>> runs(Path folder) throws IOException {
        String trace = folder.resolve("rank0_trace.json.gz").toString();
        String out = folder.resolve("out").toString();
        List<String> synth =
                List.of("synth", "-o", folder.toString(), "--ranks", "1", "--size", "12MB", "--python-stacks", "--gz");
        List<String> csv = List.of("report", trace, "--csv", out);
        List<String> compat = List.of("report", trace, "--csv", out, "--compat", "tracelens", "--kernel-summary");
        List<String> all = List.of("report", trace, "-o", out);
        List<String> serving = List.of(
                "report",
                trace,
                "--csv",
                out,
                "--compat",
                "tracelens",
                "--inference",
                "--call-stacks",
                "--overlap-info");
        List<String> ranks = List.of("collectives", trace, "--csv", out, "--allow-partial");
        List<String> merge = List.of("merge", trace, "-o", folder + "/merged.json.gz", "--allow-partial");
        List<String> perfetto = List.of("merge", trace, "-o", folder + "/merged.pftrace", "--allow-partial");
        List<String> diff = List.of("diff", trace, trace, "--csv", out);
        Path exports = Files.createDirectory(folder.resolve("nid1"));
        TrainingExport.write(exports.resolve("nid1.sqlite"));
        String costs = folder + "/costs.json";
        TrainingExport.writeCosts(Path.of(costs));
        String schedule = folder + "/schedule";
        List<String> goal = List.of("goal", "-i", exports.toString(), "-o", schedule, "-s", costs, "-l", costs);
        List<String> ofTraces = List.of("goal", "-i", folder + "/small", "-o", folder + "/traced");
        List<String> small = List.of("synth", "-o", folder + "/small", "--ranks", "2", "--size", "1MB", "--gz");
        List<String> compare = List.of("compare", out, out, "--names", "a,b", "--csv", folder + "/compared");
        return Stream.of(
                        Stream.of(List.of("--help"), List.of("version"), List.of("nonsense"), synth),
                        Stream.generate(() -> csv).limit(ROUNDS),
                        Stream.of(
                                compat,
                                serving,
                                all,
                                ranks,
                                merge,
                                perfetto,
                                diff,
                                compare,
                                goal,
                                goal,
                                small,
                                ofTraces,
                                List.of("goal", "verify", schedule + "/output.goal"),
                                List.of("goal", "simulate", schedule + "/output.goal"),
                                List.of("info", trace),
                                List.of("info", "--json", trace)))
                .flatMap(runs -> runs)
                .toList();
    }
}
