// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.aiu.Aiu;
import dev.lockstep.aiu.AiuResult;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.write.BlockMakers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Runs of the AIU pipeline over small traces in a folder; devices run at 500 MHz and compute at 800 MHz. */
public final class AiuRuns {
    private final Path folder;
    private final BlockMakers makers;
    private final List<String> lines = new ArrayList<>();
    private @Nullable AiuResult result;

    public AiuRuns(Path folder) {
        this(folder, BlockMakers.ALONE);
    }

    public AiuRuns(Path folder, BlockMakers makers) {
        this.folder = folder;
        this.makers = makers;
    }

    /** What came of the last run; fails where there was none. */
    public AiuResult result() {
        return Objects.requireNonNull(result);
    }

    /** What the runs said, each line behind its level. */
    public List<String> lines() {
        return lines;
    }

    /** The result for files in.json or in0.json, in1.json and so on, without white space; empty when there is none. */
    public String run(Consumer<AiuOptions.Builder> change, String... traces) throws IOException {
        for (int i = 0; i < traces.length; i++) {
            Files.writeString(folder.resolve(traces.length == 1 ? "in.json" : "in" + i + ".json"), traces[i]);
        }
        return runOn(traces.length == 1 ? "in.json" : "in?.json", change);
    }

    /** As above for files that are there. */
    public String runOn(String name, Consumer<AiuOptions.Builder> change) throws IOException {
        AiuOptions.Builder options = new AiuOptions.Builder()
                .with(AiuOption.INPUT, folder.resolve(name).toString())
                .with(AiuOption.OUTPUT, folder.resolve("out.json").toString())
                .with(AiuOption.SOC_MHZ, 500.0)
                .with(AiuOption.CORE_MHZ, 800.0);
        change.accept(options);
        result = new Aiu(options.build())
                .saying(AiuLog.Level.INFO, (level, line) -> lines.add(level + " " + line))
                .with(makers)
                .run();
        Path out = folder.resolve("out.json");
        return Files.exists(out) ? Files.readString(out).replaceAll("\\s+", "") : "";
    }

    /** A FLEX file of these events. */
    public static String flex(String... events) {
        return "[" + String.join(",", events) + "]";
    }

    /** A complete event of process 0; {@code more} are further members, each with a comma before it. */
    public static String x(String name, double ts, double dur, String more) {
        return "{\"ph\":\"X\",\"name\":\"" + name + "\",\"ts\":" + ts + ",\"dur\":" + dur + ",\"pid\":0,\"tid\":7"
                + more + "}";
    }

    /** The event on another process. */
    public static String on(int pid, String event) {
        return event.replace("\"pid\":0", "\"pid\":" + pid);
    }

    /** Counters in cycles of 500 MHz, and further arguments as name and text. */
    public static String attr(long[] cycles, String... more) {
        StringBuilder text = new StringBuilder(",\"attr\":{");
        for (int i = 0; i < cycles.length; i++) {
            text.append(i == 0 ? "" : ",").append("\"TS").append(i + 1).append("\":\"0x");
            text.append(Long.toHexString(cycles[i] & 0xffffffffL)).append('"');
        }
        for (int i = 0; i < more.length; i += 2) {
            text.append(i + cycles.length == 0 ? "" : ",").append('"').append(more[i]);
            text.append("\":\"").append(more[i + 1]).append('"');
        }
        return text.append('}').toString();
    }

    public static long[] cycles(long... cycles) {
        return cycles;
    }

    /** How often a part occurs. */
    public static int count(String text, String part) {
        return (text.length() - text.replace(part, "").length()) / part.length();
    }
}
