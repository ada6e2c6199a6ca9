// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One rank's trace on its way into a file, and the truth about it. Confined to one thread at a time. */
final class SyntheticRankWriter implements AutoCloseable {
    private final RankActivity rank;
    private final String path;
    private final RankClock clock;
    private final OutputStream file;
    private final ByteSink sink;
    private final KinetoJsonEmitter emitter;
    private final List<Long> compute = new ArrayList<>();
    private final List<Long> excess = new ArrayList<>();
    private final List<Long> paused = new ArrayList<>();
    private final @Nullable ByteSink edges;

    /**
     * Where a rank's trace goes.
     *
     * @param path of the trace within the run
     * @param trace its file
     * @param edges where dependencies go, null for nowhere
     */
    record Target(String path, OutputStream trace, @Nullable OutputStream edges) {}

    SyntheticRankWriter(TraceRecipe recipe, RankActivity rank, int kinds, Target target) {
        this.rank = rank;
        path = target.path;
        file = target.trace;
        clock = RankClock.of(recipe, rank.place().rank());
        sink = new ByteSink(file);
        edges = target.edges == null ? null : new ByteSink(target.edges);
        emitter = new KinetoJsonEmitter(recipe, rank.place(), kinds, path, sink);
    }

    void begin() throws IOException {
        emitter.begin();
        if (edges != null) {
            edges.text(EdgeLog.HEADER);
        }
    }

    void step() throws IOException {
        emitter.append(rank.events());
        sink.rest();
        compute.add(rank.takeComputeNanos());
        excess.add(rank.takeExcessNanos());
        paused.add(rank.takePausedNanos());
        if (edges != null) {
            rank.edges().write(edges);
        }
    }

    long bytes() {
        return sink.count();
    }

    void end() throws IOException {
        emitter.end();
        sink.close();
        if (edges != null) {
            edges.close();
        }
    }

    RankTruth truth() {
        return new RankTruth(
                rank.place().rank(),
                path,
                sink.count(),
                clock,
                emitter.totals(),
                compute,
                excess,
                paused,
                passes(),
                emitter.memory());
    }

    private List<RankTruth.Pass> passes() {
        return rank.passes().entries().stream()
                .map(entry -> new RankTruth.Pass(
                        entry.step(),
                        entry.work().pass().spelling(),
                        entry.work().chunk(),
                        entry.work().microBatch(),
                        entry.start(),
                        entry.end()))
                .toList();
    }

    @Override
    public void close() throws IOException {
        file.close();
        if (edges != null) {
            edges.close();
        }
    }
}
