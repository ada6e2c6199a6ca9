// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.model.Trace;
import dev.lockstep.runs.Configuration;
import dev.lockstep.runs.TraceFolder;
import dev.lockstep.session.OrderedTraceSink;
import dev.lockstep.session.RankSet;
import dev.lockstep.session.Session;
import dev.lockstep.session.Soundness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads runs, each trace once. As many traces are in memory together as there are threads and as fit; while a run's last
 * ranks are read and what was taken from it is worked on, the first of the next are read already.
 */
public final class RunPass {
    /** Takes a run all of whose traces were read. */
    @FunctionalInterface
    public interface Sink {
        /** The next run, in the order in which they were given; on the calling thread. */
        void accept(ConfigurationRun run) throws IOException;
    }

    private final Session session;
    private final PassOptions options;
    private final List<Extract<?>> extracts;
    private final Function<Configuration, @Nullable OrderedTraceSink> lines;
    private final AtomicLong bytes = new AtomicLong();

    private RunPass(
            Session session,
            PassOptions options,
            List<Extract<?>> extracts,
            Function<Configuration, @Nullable OrderedTraceSink> lines) {
        this.session = session;
        this.options = options;
        this.extracts = List.copyOf(extracts);
        this.lines = lines;
    }

    /**
     * Reads the traces of all these configurations.
     *
     * @param extracts what is taken from each trace, in this order
     * @param sink takes the configurations one by one, also those without traces
     * @throws dev.lockstep.error.UserException when several files claim one rank and the selection does not tell which is
     *     meant
     * @throws IOException when an output cannot be written; with {@code strict} also when an input is damaged
     */
    public static void over(
            Session session,
            List<Configuration> configurations,
            PassOptions options,
            List<Extract<?>> extracts,
            Sink sink)
            throws IOException {
        over(session, configurations, options, extracts, configuration -> null, sink);
    }

    /**
     * As {@link #over(Session, List, PassOptions, List, Sink)}.
     *
     * @param lines what else takes the framework's traces of a configuration, whole and in the order of their ranks, before
     *     the sink takes the configuration; null for nothing
     */
    public static void over(
            Session session,
            List<Configuration> configurations,
            PassOptions options,
            List<Extract<?>> extracts,
            Function<Configuration, @Nullable OrderedTraceSink> lines,
            Sink sink)
            throws IOException {
        try {
            new RunPass(session, options, extracts, lines).run(configurations, sink);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void run(List<Configuration> configurations, Sink sink) throws IOException {
        Deque<Pending> begun = new ArrayDeque<>();
        try {
            for (Configuration configuration : configurations) {
                begun.add(new Pending(configuration));
                if (begun.size() > 1) {
                    accept(begun, sink);
                }
            }
            while (!begun.isEmpty()) {
                accept(begun, sink);
            }
        } finally {
            begun.forEach(Pending::abandon);
        }
    }

    private static void accept(Deque<Pending> begun, Sink sink) throws IOException {
        ConfigurationRun run = begun.getFirst().finish();
        begun.removeFirst();
        try {
            sink.accept(run);
        } finally {
            run.discard();
        }
    }

    private TraceFolder traces(Configuration configuration) {
        boolean rocprof = options.source() == PassOptions.Source.ROCPROF
                || (configuration.traces().isEmpty() && !configuration.rocprof().isEmpty());
        return rocprof ? configuration.rocprof() : configuration.traces();
    }

    /** A configuration whose ranks are being read. */
    private final class Pending {
        private final Configuration configuration;
        private final TraceFolder traces;
        private final RankSet.@Nullable Reading<RankExtracts> reading;
        private long reported;

        Pending(Configuration configuration) {
            this.configuration = configuration;
            this.traces = traces(configuration);
            List<Path> files = traces.toRead();
            this.reading = traces.isEmpty() || !options.selection().choosesFrom(files)
                    ? null
                    : RankSet.startByRank(
                            session,
                            files,
                            options.selection(),
                            this::take,
                            RankExtracts::discard,
                            line(),
                            this::progress);
        }

        private @Nullable OrderedTraceSink line() {
            return traces.equals(configuration.traces()) ? lines.apply(configuration) : null;
        }

        ConfigurationRun finish() throws IOException {
            if (reading == null) {
                return new ConfigurationRun(configuration, null, RunCoverage.absent(configuration, traces));
            }
            RankSet<RankExtracts> ranks = reading.finish();
            if (options.strict()) {
                Soundness.demand(ranks);
            }
            return new ConfigurationRun(configuration, ranks, RunCoverage.of(configuration, traces, ranks));
        }

        void abandon() {
            if (reading != null) {
                reading.abandon(RankExtracts::discard);
            }
        }

        private RankExtracts take(Trace trace) {
            try {
                if (options.strict()) {
                    Soundness.demand(trace);
                }
                return RankExtracts.from(new RankTrace(configuration, new DerivedCache(trace)), extracts);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private synchronized void progress(long total) {
            options.progress().accept(bytes.addAndGet(Math.max(0, total - reported)));
            reported = Math.max(reported, total);
        }
    }
}
