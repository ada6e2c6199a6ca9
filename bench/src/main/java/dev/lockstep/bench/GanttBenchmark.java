// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.kernels.GanttChart;
import dev.lockstep.kernels.GanttLanes;
import dev.lockstep.model.Trace;
import dev.lockstep.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long it takes to lay out kernels of four streams that take turns: {@code lanes} from the trace, {@code page} from lanes
 * to what a page shows.
 *
 * <p>{@code ./lockstep-bench Gantt}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx2g")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class GanttBenchmark {
    @Param({"100000", "1000000"})
    private int kernels;

    private Trace trace;
    private GanttChart chart;

    @Setup
    public void prepare() throws IOException {
        Path file = Files.createTempFile("gantt", ".json");
        try {
            write(file);
            trace = Samples.read(file);
        } finally {
            Files.delete(file);
        }
        chart = GanttChart.of(List.of(new GanttChart.Rank(0, "", lanes(), 0)));
    }

    private void write(Path file) throws IOException {
        Random random = new Random(1);
        long[] free = new long[4];
        try (var out = Files.newBufferedWriter(file)) {
            out.write("{\"traceEvents\":[");
            for (int i = 0; i < kernels; i++) {
                int stream = random.nextInt(free.length);
                long start = free[stream] + random.nextInt(2_000);
                long length = 1_000 + random.nextInt(19_000);
                free[stream] = start + length;
                out.write(String.format(
                        Locale.ROOT,
                        "%s{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":0,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,"
                                + "\"args\":{\"device\":0,\"stream\":%d,\"correlation\":%d}}\n",
                        i == 0 ? "" : ",",
                        random.nextInt(40),
                        stream,
                        start / 1e3,
                        length / 1e3,
                        stream,
                        i));
            }
            out.write("]}");
        }
    }

    @Benchmark
    public GanttLanes lanes() {
        return GanttLanes.of(trace, Set.of());
    }

    @Benchmark
    public Report page() {
        return chart.report("");
    }
}
