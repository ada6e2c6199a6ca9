// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.run;

import dev.lockstep.compat.aorta.gemm.AortaOverlap;
import dev.lockstep.compat.aorta.gemm.AortaTimestamps;
import dev.lockstep.compat.aorta.gemm.AortaVariance;
import dev.lockstep.compat.aorta.gemm.CollectiveSheet;
import dev.lockstep.compat.aorta.gemm.GemmSheet;
import dev.lockstep.compat.aorta.gemm.PandasFrame;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.runs.Coverage;
import dev.lockstep.runs.Coverage.Part;
import dev.lockstep.runs.Coverage.State;
import dev.lockstep.runs.ReportFiles;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.GemmSteps;
import dev.lockstep.sweep.gemm.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The chain as AORTA's scripts run it: from reports, in their places and under their names alone. */
final class AortaGemm {
    private static final Selection DEFAULTS = new Selection(
            List.of(256, 512),
            List.of(28, 42, 56, 70),
            IntStream.range(0, 8).boxed().toList());

    private final List<Part> parts = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    private AortaGemm() {}

    /**
     * The operators of each report whose times lie furthest apart.
     *
     * @param analysis the folder of analyses
     * @param selection lists that are empty are those of the script; what they name and is not there is no gap
     */
    public static GemmFile variance(Path analysis, Selection selection, int topK) throws IOException {
        return new AortaGemm().variances(analysis, selection, topK);
    }

    /**
     * The file of {@link #variance} with the times of the shortest and the longest kernels.
     *
     * @param sweep the folder of the sweep
     * @param tolerance how far durations may be from those of the file before it is said, as a share of these
     */
    public static GemmFile timestamps(Session session, Path csv, Path sweep, double tolerance) throws IOException {
        return new AortaGemm().times(session, csv, sweep, tolerance);
    }

    /**
     * The file of {@link #timestamps} with the collectives that ran during the longest kernels.
     *
     * @param analysis the folder of analyses
     */
    public static GemmFile overlap(Path csv, Path analysis) throws IOException {
        return new AortaGemm().overlaps(csv, analysis);
    }

    private GemmFile variances(Path analysis, Selection selection, int topK) throws IOException {
        AortaVariance variance = new AortaVariance(topK);
        boolean named = !selection.threads().isEmpty()
                || !selection.channels().isEmpty()
                || !selection.ranks().isEmpty();
        for (int threads : or(selection.threads(), DEFAULTS.threads())) {
            Path folder = analysis.resolve(threads + "thread").resolve("individual_reports");
            for (int channel : or(selection.channels(), DEFAULTS.channels())) {
                for (int rank : or(selection.ranks(), DEFAULTS.ranks())) {
                    Path report = folder.resolve("perf_" + channel + "ch_rank" + rank + ".xlsx");
                    add(variance, report, threads, channel, rank, named);
                }
            }
        }
        if (variance.size() == 0) {
            throw new UserException(
                    ErrorCode.NOTHING_TO_DO,
                    analysis + ": no report holds a sheet " + GemmSheet.NAME + " in the expected layout",
                    remarks.isEmpty()
                            ? "Expected reports like 256thread/individual_reports/perf_28ch_rank0.xlsx."
                            : remarks.getFirst());
        }
        return file(variance.csv(), variance.size());
    }

    private void add(AortaVariance variance, Path report, int threads, int channel, int rank, boolean named)
            throws IOException {
        String label = label(threads, channel);
        if (!Files.exists(report)) {
            if (named) {
                part(label, rank, State.MISSING, report, "no report of this rank");
            }
            return;
        }
        GemmSheet sheet = new GemmSheet();
        boolean there = ReportFiles.rows(report, GemmSheet.NAME, sheet::row);
        String refusal = there ? sheet.refusal() : "there is no sheet " + GemmSheet.NAME;
        if (refusal == null) {
            variance.add(threads, channel, rank, sheet);
            part(label, rank, State.COMPLETE, report, "");
        } else {
            remarks.add(report + ": " + refusal);
            part(label, rank, State.UNREADABLE, report, refusal);
        }
    }

    private GemmFile times(Session session, Path csv, Path sweep, double tolerance) throws IOException {
        AortaTimestamps times = new AortaTimestamps(frame(csv));
        for (AortaTimestamps.Place place : times.places()) {
            Path folder = sweep.resolve(place.threads() + "thread")
                    .resolve("nccl_" + place.channel() + "channels")
                    .resolve("torch_profiler")
                    .resolve("rank" + place.rank());
            String label = label(place.threads(), place.channel());
            Path trace = trace(folder);
            if (trace == null) {
                part(label, (int) place.rank(), State.MISSING, folder, "no trace of this rank");
                continue;
            }
            try {
                List<Trace> traces = session.read(TraceInput.of(trace), bytes -> {});
                times.add(place, traces.getFirst());
                boolean loss = traces.getFirst().diagnostics().hasLoss();
                part(
                        label,
                        (int) place.rank(),
                        loss ? State.PARTIAL : State.COMPLETE,
                        trace,
                        loss ? "a part of the file is missing" : "");
            } catch (IOException e) {
                part(label, (int) place.rank(), State.UNREADABLE, trace, String.valueOf(e.getMessage()));
            }
        }
        GemmSteps.remark(times.mismatches(tolerance), times.rows(), remarks);
        return file(times.csv(), times.rows());
    }

    private GemmFile overlaps(Path csv, Path analysis) throws IOException {
        AortaOverlap overlap = new AortaOverlap(frame(csv));
        for (AortaOverlap.Configuration configuration : overlap.configurations()) {
            Path report = analysis.resolve(configuration.threads() + "thread")
                    .resolve("collective_reports")
                    .resolve("collective_" + configuration.channel() + "ch.xlsx");
            String label = label(configuration.threads(), configuration.channel());
            CollectiveSheet sheet = new CollectiveSheet();
            if (!Files.exists(report)) {
                part(label, -1, State.MISSING, report, "no report on collectives");
            } else if (!ReportFiles.rows(report, CollectiveSheet.NAME, sheet::row)) {
                part(label, -1, State.UNREADABLE, report, "there is no sheet " + CollectiveSheet.NAME);
            } else {
                overlap.add(configuration, sheet);
                part(label, -1, State.COMPLETE, report, "");
            }
        }
        return file(overlap.csv(), overlap.rows());
    }

    private GemmFile file(String text, int rows) {
        return new GemmFile(text, rows, new Coverage(parts), remarks);
    }

    private void part(String configuration, int rank, State state, Path source, String note) {
        parts.add(new Part(configuration, rank, state, source.toString(), note));
    }

    private static String label(long threads, long channel) {
        return threads + "thread_" + channel + "ch";
    }

    private static PandasFrame frame(Path csv) throws IOException {
        PandasFrame frame = new PandasFrame(csv.toString());
        ReportFiles.rows(csv, frame::row);
        return frame;
    }

    private static List<Integer> or(List<Integer> named, List<Integer> otherwise) {
        return named.isEmpty() ? otherwise : named;
    }

    /** The trace that the script takes: one directly in the folder, a customer's first. */
    private static @Nullable Path trace(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return null;
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found =
                    files.filter(f -> nameOf(f).endsWith(".json")).sorted().toList();
            return found.stream()
                    .filter(f -> nameOf(f).startsWith("customer_trace"))
                    .findFirst()
                    .orElse(found.isEmpty() ? null : found.getFirst());
        }
    }

    private static String nameOf(Path file) {
        return Objects.requireNonNull(file.getFileName()).toString();
    }
}
