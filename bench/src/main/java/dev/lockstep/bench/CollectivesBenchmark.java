// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.ranks.KeptRank;
import dev.lockstep.ranks.MatchedRanks;
import dev.lockstep.report.Report;
import dev.lockstep.reporting.CollectiveReport;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long it takes to match and explain the collectives of many ranks, 3,000 on each, once their traces are read: the
 * time must grow with the number of ranks and not faster. {@code read} reads the traces, too.
 *
 * <p>{@code ./lockstep-bench Collectives}
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx6g")
@Warmup(iterations = 1)
@Measurement(iterations = 3)
public class CollectivesBenchmark {
    private static final int COLLECTIVES = 3_000;
    private static final int NODE = 8;

    @Param({"8", "64", "512"})
    private int ranks;

    private Path folder;
    private List<Path> files;
    private Session session;
    private RankSet<KeptRank> run;

    @Setup
    public void prepare() throws IOException {
        folder = Files.createTempDirectory("collectives");
        files = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            files.add(Files.writeString(folder.resolve("rank" + rank + ".json"), trace(rank)));
        }
        session = new Session(Runtime.getRuntime().availableProcessors());
        run = read();
    }

    @TearDown
    public void remove() throws IOException {
        session.close();
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(folder);
    }

    @Benchmark
    public RankSet<KeptRank> read() throws IOException {
        return RankSet.read(
                session, files, RankSelection.any(), trace -> KeptRank.of(new DerivedCache(trace)), bytes -> {});
    }

    @Benchmark
    public Report explain() {
        return CollectiveReport.of(new MatchedRanks(run, "benchmark", CollectiveOptions.standard(), null));
    }

    /** A third of the collectives within nodes, the others among all; every rank comes when it likes. */
    private String trace(int rank) {
        Random random = new Random(rank);
        StringBuilder out = new StringBuilder(1 << 21);
        out.append("{\"distributedInfo\": {\"rank\": ")
                .append(rank)
                .append(", \"world_size\": ")
                .append(ranks)
                .append("}, \"traceEvents\": [\n");
        for (int i = 0; i < COLLECTIVES; i++) {
            boolean local = i % 3 == 0;
            int first = local ? rank / NODE * NODE : 0;
            int size = local ? NODE : ranks;
            double late = random.nextDouble() * 50;
            out.append(i == 0 ? "" : ",\n")
                    .append(String.format(
                            Locale.ROOT,
                            "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce\", \"pid\": 0,"
                                    + " \"tid\": 20, \"ts\": %.3f, \"dur\": %.3f, \"args\": {\"device\": 0, \"stream\": 20,"
                                    + " \"correlation\": %d, \"Collective name\": \"allreduce\", \"dtype\": \"BFloat16\","
                                    + " \"In msg nelems\": %d, \"Out msg nelems\": %d, \"Group size\": %d,"
                                    + " \"Process Group Name\": \"%d\", \"Process Group Ranks\": \"[%d, ..., %d]\","
                                    + " \"Seq\": %d}}",
                            i * 300 + late,
                            150 - late,
                            i + 1,
                            1 << i % 20,
                            1 << i % 20,
                            size,
                            local ? 1 + rank / NODE : 0,
                            first,
                            first + size - 1,
                            i));
        }
        return out.append("\n]}\n").toString();
    }
}
