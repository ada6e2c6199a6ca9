// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.merge.Alignment;
import dev.lockstep.model.Trace;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.RankSelection;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.RunCoverage;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Merges the configurations of a sweep one after another; each one's files appear when it is done. */
public final class SweepMerge {
    /**
     * What to do.
     *
     * @param plan how to merge
     * @param aligned whether clocks are corrected, for which traces are read twice
     * @param gpusPerNode ranks of a node, which read one clock; 0 to go by the names of hosts, where they are known
     * @param selection which traces are meant where there are several of a rank
     */
    public record Options(MergePlan plan, boolean aligned, int gpusPerNode, RankSelection selection) {}

    /**
     * A configuration that was merged.
     *
     * @param files what was written, empty when nothing could be read
     * @param coverage what of its traces was there
     */
    public record Outcome(Configuration configuration, List<Merged> files, Coverage coverage) {
        public Outcome {
            files = List.copyOf(files);
        }
    }

    private final Session session;
    private final SweepReports places;
    private final Options options;
    private final LongConsumer progress;

    SweepMerge(Session session, SweepReports places, Options options, LongConsumer progress) {
        this.session = session;
        this.places = places;
        this.options = options;
        this.progress = progress;
    }

    /**
     * Merges.
     *
     * @param done told of every configuration when its files are there, in order
     * @throws dev.lockstep.error.UserException when several files claim one rank and the selection does not tell which is
     *     meant
     * @throws IOException when an output cannot be written
     */
    public static List<Outcome> over(
            Session session,
            List<Configuration> configurations,
            SweepReports places,
            Options options,
            LongConsumer progress,
            Consumer<Outcome> done)
            throws IOException {
        SweepMerge merge = new SweepMerge(session, places, options, progress);
        List<Outcome> outcomes = new ArrayList<>();
        for (Configuration configuration : configurations) {
            Outcome outcome = merge.merge(configuration, null);
            done.accept(outcome);
            outcomes.add(outcome);
        }
        return outcomes;
    }

    /**
     * Merges one configuration.
     *
     * @param known what its clocks have to do with one another; null to find out, if that is wanted
     */
    Outcome merge(Configuration configuration, @Nullable Alignment known) throws IOException {
        List<Path> files = configuration.traces().toRead();
        if (configuration.traces().isEmpty()) {
            return new Outcome(configuration, List.of(), RunCoverage.absent(configuration, configuration.traces()));
        }
        try (Output output = new Output(places.home())) {
            Alignment alignment = known != null ? known : alignment(files);
            RankSet<Boolean> ranks;
            List<Merged> written;
            try (RankMerge merge = options.plan()
                    .open(session, places.merged(configuration), output, alignment, session.pool(), session.jobs())) {
                ranks = RankSet.readInOrder(
                        session,
                        files,
                        options.selection(),
                        options.plan().keep(),
                        trace -> add(merge, trace),
                        progress);
                written = merge.finish();
            }
            output.commit();
            return new Outcome(configuration, written, RunCoverage.of(configuration, configuration.traces(), ranks));
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private Alignment alignment(List<Path> files) throws IOException {
        if (!options.aligned()) {
            return Alignment.none();
        }
        return RankClocks.read(session, files, options.selection(), options.gpusPerNode(), progress);
    }

    private static boolean add(RankMerge merge, Trace trace) {
        try {
            merge.add(trace);
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
