// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.derive.RankCollectives;
import dev.lockstep.merge.Alignment;
import dev.lockstep.model.Trace;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.SweepReports;
import dev.lockstep.session.OrderedTraceSink;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.ConfigurationRun;
import dev.lockstep.sweep.Extract;
import dev.lockstep.sweep.merge.RankMerge.Merged;
import dev.lockstep.sweep.merge.SweepMerge.Outcome;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Merges configurations in the pass that reads their traces for reports. Clocks are known only when all ranks were read: if
 * they are to be corrected, the pass yields them, and the traces are read once more to be merged. So are those of a
 * configuration whose ranks the order of its files did not tell.
 */
public final class PassMerge implements AutoCloseable {
    private final Session session;
    private final SweepReports places;
    private final SweepMerge.Options options;
    private final Extract<RankCollectives> clocks = trace -> trace.derived().get(RankCollectives.Key.standard());
    private final Map<Path, Line> lines = new HashMap<>();
    private final Map<Path, Outcome> outcomes = new HashMap<>();
    private final Map<Path, Alignment> alignments = new HashMap<>();

    public PassMerge(Session session, SweepReports places, SweepMerge.Options options) {
        this.session = session;
        this.places = places;
        this.options = options;
    }

    /** What must be taken from every trace. */
    public List<Extract<?>> extracts() {
        return options.aligned() ? List.of(clocks) : List.of();
    }

    /** What takes the traces of a configuration, which has some; null if they cannot be merged yet. */
    public @Nullable OrderedTraceSink begin(Configuration configuration) {
        if (options.aligned()) {
            return null;
        }
        Line line = new Line(configuration);
        lines.put(configuration.folder(), line);
        return line;
    }

    /** Ends the files of a configuration all of whose traces were read. */
    public void finish(ConfigurationRun run) throws IOException {
        Path place = run.configuration().folder();
        if (run.ranks() == null || run.ranks().present().isEmpty()) {
            outcomes.put(place, new Outcome(run.configuration(), List.of(), run.coverage()));
        } else if (options.aligned()) {
            alignments.put(
                    place,
                    RankClocks.of(
                            run.ranks()
                                    .withKept(member -> Objects.requireNonNull(member.kept())
                                            .of(clocks)),
                            options.gpusPerNode()));
        }
        Line line = lines.remove(place);
        if (line != null) {
            try (line) {
                List<Merged> merged = line.finish();
                if (!merged.isEmpty()) {
                    outcomes.put(place, new Outcome(run.configuration(), merged, run.coverage()));
                }
            }
        }
    }

    /**
     * All configurations, in their order. What the pass could not merge is merged now.
     *
     * @throws dev.lockstep.error.UserException when several files claim one rank
     * @throws IOException when an output cannot be written
     */
    public List<Outcome> outcomes(List<Configuration> configurations) throws IOException {
        SweepMerge later = new SweepMerge(session, places, options, bytes -> {});
        List<Outcome> all = new ArrayList<>();
        for (Configuration configuration : configurations) {
            Outcome done = outcomes.get(configuration.folder());
            all.add(done != null ? done : later.merge(configuration, alignments.get(configuration.folder())));
        }
        return all;
    }

    /** Lets go of files that were not finished. */
    @Override
    public void close() throws IOException {
        for (Line line : lines.values()) {
            line.close();
        }
    }

    /** The files of one configuration; begun with its first trace. */
    private final class Line implements OrderedTraceSink, AutoCloseable {
        private final Configuration configuration;
        private final Output output = new Output(places.home());
        private @Nullable RankMerge merge;
        private boolean wrong;

        Line(Configuration configuration) {
            this.configuration = configuration;
        }

        @Override
        public void add(Trace trace) throws IOException {
            if (merge == null) {
                merge = options.plan()
                        .open(session, places.merged(configuration), output, Alignment.none(), Runnable::run, 1);
            }
            merge.add(trace);
        }

        @Override
        public void giveUp() {
            wrong = true;
        }

        /** The files, none if they would be wrong. */
        List<Merged> finish() throws IOException {
            if (merge == null || wrong) {
                return List.of();
            }
            List<Merged> merged = merge.finish();
            merge.close();
            output.commit();
            return merged;
        }

        @Override
        public void close() throws IOException {
            try (output) {
                if (merge != null) {
                    merge.close();
                }
            }
        }
    }
}
