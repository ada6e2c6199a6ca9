// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.kernels.Tier;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.power.PowerTimes;
import dev.lockstep.replay.reconcile.MeasuredParts;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.replay.reconcile.ReplayResultFile;
import dev.lockstep.replay.reconcile.ResultsDialect;
import dev.lockstep.replay.reconcile.Whole;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The result files of piep's benchmark as parts and whole, and what its reports say about them. */
record PiepResults() implements ResultsDialect {
    private static final double NS_PER_US = 1e3;

    @Override
    public Path isolated(Path folder) {
        return folder.resolve("isolated_kernels_timing.json");
    }

    @Override
    public boolean recognises(Members document) {
        return document.get("kernels") instanceof Json.Items && !Double.isNaN(document.number("predicted_total_us"));
    }

    @Override
    public MeasuredParts isolated(Members document, String source) {
        List<Part> parts = new ArrayList<>();
        for (Json item : document.items("kernels")) {
            if (item instanceof Members kernel) {
                parts.add(part(kernel));
            }
        }
        return MeasuredParts.of(source, parts);
    }

    private static Part part(Members kernel) {
        int tier = Math.clamp(kernel.whole("tier", 3), 1, 3);
        String name = kernel.text("name");
        double us = kernel.number("single_time_us");
        double ns = us >= 0 && Double.isFinite(us) ? us * NS_PER_US : Double.NaN;
        return new Part(
                Identity.of(name == null ? "" : name, tier + " " + Tier.values()[tier - 1].library()),
                Math.max(0, kernel.whole("invocation_count", 0)),
                Double.NaN,
                ns,
                Double.NaN,
                kernel.whole("benchmark_runs", -1),
                stated(kernel),
                Double.NaN,
                Double.isNaN(ns) ? "not measured" : null);
    }

    @Override
    public @Nullable Window window(Members document) {
        return stated(document);
    }

    private static @Nullable Window stated(Members document) {
        String start = document.text("start_timestamp");
        String end = document.text("end_timestamp");
        if (start == null || end == null || start.isBlank() || end.isBlank()) {
            return null;
        }
        try {
            long from = PowerTimes.parse(start);
            long to = PowerTimes.parse(end);
            return to > from ? new Window(from, to) : null;
        } catch (DateTimeException e) {
            return null;
        }
    }

    /** Any of its reports. */
    @Override
    public Whole whole(Members document, String source) {
        double us = document.number("full_model_inference_us");
        double joules = document.object("full_model").number("energy_per_inference_j");
        if (Double.isNaN(joules) && document.number("num_runs") > 0) {
            joules = document.number("energy_joules") / document.number("num_runs");
        }
        return new Whole(source, us * NS_PER_US, joules, Whole.Activity.UNKNOWN);
    }

    @Override
    public Beside beside(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        List<Finding> claims = new ArrayList<>();
        List<Path> read = new ArrayList<>();
        Whole whole = Whole.UNKNOWN;
        for (String name : List.of("full_model_timing.json", "comparison_report.json", "gpu_energy_report.json")) {
            Path report = folder == null ? Path.of(name) : folder.resolve(name);
            if (Files.isRegularFile(report)) {
                Members document = ReplayResultFile.document(report);
                whole = joined(whole, whole(document, name));
                claim(document, name, claims);
                read.add(report);
            }
        }
        Path power = folder == null ? null : power(folder);
        if (power != null) {
            read.add(power);
        }
        return new Beside(whole, claims, power, read);
    }

    private static Whole joined(Whole known, Whole more) {
        boolean time = !Double.isNaN(more.ns());
        boolean energy = !Double.isNaN(more.joules());
        return new Whole(
                time && Double.isNaN(known.ns()) ? more.source() : known.source(),
                Double.isNaN(known.ns()) ? more.ns() : known.ns(),
                energy ? more.joules() : known.joules(),
                Whole.Activity.UNKNOWN);
    }

    private static @Nullable Path power(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(f -> String.valueOf(f.getFileName()).matches("gpu_power_.*\\.csv"))
                    .sorted()
                    .reduce((a, b) -> b)
                    .orElse(null);
        }
    }

    private static void claim(Members document, String name, List<Finding> claims) {
        double time = document.number("error_percent");
        if (!Double.isNaN(time)) {
            claims.add(new Finding(
                    Severity.INFO,
                    "claimed_time_error",
                    String.format(
                            Locale.ROOT,
                            "%s states an error of %.1f %%: %.3f ms of parts against %.3f ms of the whole.",
                            name,
                            time,
                            document.number("predicted_from_kernels_ms"),
                            document.number("full_model_inference_ms")),
                    name + ": error_percent"));
        }
        Members comparison = document.object("comparison");
        double energy = comparison.number("error_percent");
        if (!Double.isNaN(energy)) {
            claims.add(new Finding(
                    Severity.INFO,
                    "claimed_energy_error",
                    String.format(
                            Locale.ROOT,
                            "%s states an error of %.1f %%: %.3f J of parts against %.3f J of the whole.",
                            name,
                            energy,
                            comparison.number("predicted_energy_j"),
                            comparison.number("full_model_energy_j")),
                    name + ": comparison.error_percent"));
        }
    }

    /**
     * The energy of all calls as piep sums it: power of each sample times the time since the one before, in windows without
     * their ends, over the stated number of runs.
     *
     * @return in J; windows without a sample count for nothing
     */
    static double rectangles(MeasuredParts isolated, List<PowerSeries> series) {
        double joules = 0;
        for (Part part : isolated.parts()) {
            Window window = part.window();
            if (window != null && part.runs() > 0) {
                for (PowerSeries one : series) {
                    joules += rectangles(one, window) / part.runs() * part.calls();
                }
            }
        }
        return joules;
    }

    private static double rectangles(PowerSeries series, Window window) {
        int first = 0;
        while (first < series.size() && series.ns()[first] < window.start()) {
            first++;
        }
        int behind = first;
        while (behind < series.size() && series.ns()[behind] <= window.end()) {
            behind++;
        }
        if (behind == first) {
            return 0;
        }
        if (behind - first == 1) {
            return series.watts()[first] * window.ns() / 1e9;
        }
        double joules = series.watts()[first] * (series.ns()[first + 1] - series.ns()[first]) / 1e9;
        for (int i = first + 1; i < behind; i++) {
            joules += series.watts()[i] * (series.ns()[i] - series.ns()[i - 1]) / 1e9;
        }
        return joules;
    }
}
