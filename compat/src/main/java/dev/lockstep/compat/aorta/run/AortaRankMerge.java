// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.AortaMerge;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.model.Trace;
import dev.lockstep.read.RankNames;
import dev.lockstep.sweep.merge.RankMerge;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;

/** One file as AORTA's script merges: ranks go by their folders, and a number of them may be announced in any case. */
final class AortaRankMerge implements RankMerge {
    private static final int PACKED_AT_ONCE = 1 << 16;

    private final Path target;
    private final AortaMerge merge;
    private final Consumer<String> say;
    private final List<Integer> ranks = new ArrayList<>();
    private int announced;
    private long events;

    private AortaRankMerge(Path target, OutputStream file, int announced, Consumer<String> say) {
        this.target = target;
        this.merge = new AortaMerge(file);
        this.announced = announced;
        this.say = say;
    }

    /** A silent merge of a sweep's configuration, which announces so many ranks whether or not they exist. */
    static AortaRankMerge announcing(int ranks, Path target, Path staged) throws IOException {
        return new AortaRankMerge(target, NamedFiles.out(staged), ranks, line -> {});
    }

    /** A merge that says what it does, into a file that is packed if its name says so. */
    static AortaRankMerge open(List<String> inputs, Path target, Path staged, Consumer<String> say) throws IOException {
        boolean packed = target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
        OutputStream file = NamedFiles.out(staged);
        say.accept("Merging traces from " + String.join(" ", inputs));
        return new AortaRankMerge(target, packed ? new GZIPOutputStream(file, PACKED_AT_ONCE) : file, 0, say);
    }

    @Override
    public void add(Trace trace) throws IOException {
        int rank = RankNames.rankOf(Path.of(trace.info().source()))
                .orElse(trace.info().rank().index());
        AortaMerge.Added added = merge.add(trace, rank);
        events += added.gpu() + added.cpu();
        ranks.add(rank);
        announced = Math.max(announced, rank + 1);
        say.accept("Processing rank " + rank + "...");
        say.accept("  Added " + added.gpu() + " GPU events, " + added.cpu() + " CPU context events");
    }

    @Override
    public List<Merged> finish() throws IOException {
        events += merge.finish(announced);
        say.accept("Total events: " + events);
        say.accept("GPU processes: rank * 1000");
        say.accept("CPU processes: rank * 1000 + 500");
        return List.of(new Merged(target, ranks, events));
    }

    @Override
    public void close() throws IOException {
        merge.close();
    }
}
