// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.compat.aorta.AortaMerge;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.Alignment;
import dev.lockstep.merge.ClockEvidence;
import dev.lockstep.merge.CollectiveAlignment;
import dev.lockstep.merge.Merge;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeSummary;
import dev.lockstep.model.Trace;
import dev.lockstep.read.RankNames;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.merge.RankClocks;
import dev.lockstep.write.Output;
import dev.lockstep.write.TimelineOutput;
import dev.lockstep.write.TraceWriter;
import dev.lockstep.write.WriteBehind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** {@code lockstep merge RANKS -o FILE}: one timeline of all ranks. */
public final class MergeCommand implements Command {
    /** One that is written, one that is laid out, one that is read. */
    private static final int RANKS_AT_WORK = 3;

    private final RankArguments ranks = new RankArguments();
    private final MergeArguments merging = new MergeArguments();
    private final CompatTool compat = new CompatTool("aorta");

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required option
    private Path target;

    private @Nullable Path manifest;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        ranks.declare(arguments);
        arguments.required(
                "-o,--output",
                "FILE",
                Path.class,
                "Where the merged trace goes; its ending chooses the format.",
                given -> target = given);
        merging.declare(arguments);
        arguments.option(
                "--manifest",
                "FILE",
                Path.class,
                "With --align collectives: where Perfetto's merge manifest goes (default: FILE.manifest.json beside the"
                        + " output).",
                given -> manifest = given);
        compat.declare(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        boolean aorta = compat.isWanted();
        demandUsable();
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global);
                Output output = new Output()) {
            Output.demandNoInput(target, ranks.files());
            if (merging.aligned()) {
                demandPlace(manifestPlace());
            }
            RankSet<Boolean> read =
                    aorta ? mergeAsAorta(session, progress, output, out) : merge(session, progress, output, out, err);
            output.commit();
            progress.close();
            RankArguments.report(read, err);
            return global.status(read.isComplete());
        }
    }

    private void demandUsable() {
        String lonely = merging.gpusPerNode() > 0 ? "--gpus-per-node" : manifest != null ? "--manifest" : null;
        if (lonely != null && (!merging.aligned() || compat.isWanted())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    lonely + " says something about aligned clocks",
                    "Add --align collectives.");
        }
    }

    private boolean isPacked() {
        return target.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    }

    private RankSet<Boolean> merge(Session session, Progress progress, Output output, PrintWriter out, PrintWriter err)
            throws IOException {
        TraceWriter writer = session.registry().traceWriterFor(target);
        MergeFilter filter = merging.filter();
        CollectiveAlignment aligned = merging.aligned() ? alignment(session, progress) : null;
        Alignment alignment = aligned == null ? Alignment.none() : aligned;
        TraceWriter.Options options = new TraceWriter.Options(isPacked(), session.pool(), session.jobs());
        try (TimelineOutput timelines = behind(writer.open(output.file(target), options), session)) {
            Merge merge = new Merge(timelines, merging.options(), alignment);
            Keep keep = filter.needsDetails() ? Keep.EVERYTHING : Keep.RECORDING;
            RankSet<Boolean> read = ranks.readInOrder(session, global, progress, keep, trace -> {
                add(merge, trace);
                return true;
            });
            MergeSummary summary = merge.finish();
            demandAnything(summary);
            if (!global.quiet()) {
                MergeText.summary(target, summary, read, out);
            }
            MergeText.empty(summary, err);
            if (aligned != null) {
                Files.writeString(output.file(manifestPlace()), aligned.manifest());
                if (!global.quiet()) {
                    out.println("  manifest for Perfetto: " + manifestPlace());
                }
            }
            return read;
        }
    }

    /** Ranks are written while the next is laid out and the one behind it is read, if there is room for three. */
    private TimelineOutput behind(TimelineOutput file, Session session) throws IOException {
        return session.fit(RANKS_AT_WORK, ranks.files()) ? new WriteBehind(file) : file;
    }

    private void demandAnything(MergeSummary summary) {
        if (summary.ranks().stream().noneMatch(MergeSummary.Part::isShown)) {
            boolean filtered = merging.filters();
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    filtered ? "nothing passes the filters" : "the traces hold no events",
                    filtered
                            ? "Nothing was written; 'lockstep info' tells categories and ranks."
                            : "Nothing was written.");
        }
    }

    private void demandPlace(Path place) throws IOException {
        Output.demandNoInput(place, ranks.files());
        if (place.toAbsolutePath().normalize().equals(target.toAbsolutePath().normalize())) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, place + " cannot be both the merged trace and its manifest", null);
        }
    }

    private Path manifestPlace() {
        if (manifest != null) {
            return manifest;
        }
        String name = String.valueOf(target.getFileName());
        return target.resolveSibling(name.replaceFirst("(?i)\\.(json|pftrace)(\\.gz)?$", "") + ".manifest.json");
    }

    /** Reads all ranks once before, of which only what tells their clocks is kept. */
    private CollectiveAlignment alignment(Session session, Progress progress) throws IOException {
        return RankClocks.of(ranks.read(session, global, progress, ClockEvidence::of), merging.gpusPerNode());
    }

    private static void add(Merge merge, Trace trace) {
        try {
            merge.add(trace);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private RankSet<Boolean> mergeAsAorta(Session session, Progress progress, Output output, PrintWriter out)
            throws IOException {
        OutputStream file = Files.newOutputStream(output.file(target));
        boolean talk = !global.quiet();
        try (AortaMerge merge = new AortaMerge(isPacked() ? new GZIPOutputStream(file, 1 << 16) : file)) {
            int[] ranksToName = new int[1];
            long[] events = new long[1];
            if (talk) {
                out.println("Merging traces from " + String.join(" ", ranks.inputs()));
            }
            RankSet<Boolean> read = ranks.readInOrder(session, global, progress, Keep.RECORDING, trace -> {
                int rank = RankNames.rankOf(Path.of(trace.info().source()))
                        .orElse(trace.info().rank().index());
                AortaMerge.Added added = add(merge, trace, rank);
                ranksToName[0] = Math.max(ranksToName[0], rank + 1);
                events[0] += added.gpu() + added.cpu();
                if (talk) {
                    out.println("Processing rank " + rank + "...");
                    out.println("  Added " + added.gpu() + " GPU events, " + added.cpu() + " CPU context events");
                }
                return true;
            });
            events[0] += merge.finish(ranksToName[0]);
            if (talk) {
                out.println("Total events: " + events[0]);
                out.println("GPU processes: rank * 1000");
                out.println("CPU processes: rank * 1000 + 500");
            }
            return read;
        }
    }

    private static AortaMerge.Added add(AortaMerge merge, Trace trace, int rank) {
        try {
            return merge.add(trace, rank);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
