// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Run;
import dev.lockstep.compat.aorta.AortaMerge;
import dev.lockstep.model.Trace;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** A merged trace as AORTA's script writes it, and what that script says meanwhile. */
final class AortaTimeline {
    private final AortaMerge merge;
    private final @Nullable PrintWriter out;
    private int ranksToName;
    private long events;

    private AortaTimeline(AortaMerge merge, @Nullable PrintWriter out) {
        this.merge = merge;
        this.out = out;
    }

    /**
     * Merges a run.
     *
     * @param out null to say nothing
     */
    static RankSet<Boolean> write(Run run, Path target, @Nullable PrintWriter out) throws IOException {
        Output.demandNoInput(target, run.files());
        try (Output output = new Output()) {
            RankSet<Boolean> read;
            try (AortaMerge merge = new AortaMerge(open(target, output))) {
                read = new AortaTimeline(merge, out).merge(run);
            }
            output.commit();
            return read;
        }
    }

    private static OutputStream open(Path target, Output output) throws IOException {
        OutputStream file = Files.newOutputStream(output.file(target));
        return target.toString().toLowerCase(Locale.ROOT).endsWith(".gz") ? new GZIPOutputStream(file, 1 << 16) : file;
    }

    private RankSet<Boolean> merge(Run run) throws IOException {
        say("Merging traces from " + String.join(" ", run.inputs()));
        RankSet<Boolean> read = run.readInOrder(Keep.RECORDING, this::add);
        events += merge.finish(ranksToName);
        say("Total events: " + events);
        say("GPU processes: rank * 1000");
        say("CPU processes: rank * 1000 + 500");
        return read;
    }

    private boolean add(Trace trace) {
        int rank = RankNames.rankOf(Path.of(trace.info().source()))
                .orElse(trace.info().rank().index());
        try {
            AortaMerge.Added added = merge.add(trace, rank);
            ranksToName = Math.max(ranksToName, rank + 1);
            events += added.gpu() + added.cpu();
            say("Processing rank " + rank + "...");
            say("  Added " + added.gpu() + " GPU events, " + added.cpu() + " CPU context events");
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void say(String line) {
        if (out != null) {
            out.println(line);
        }
    }
}
