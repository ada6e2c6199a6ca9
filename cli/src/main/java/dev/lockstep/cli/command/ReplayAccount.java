// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.power.Energy;
import dev.lockstep.power.EnergyIntegrator;
import dev.lockstep.power.PowerLog;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.reconcile.EnergyAccount;
import dev.lockstep.replay.reconcile.Isolated;
import dev.lockstep.replay.reconcile.Part;
import dev.lockstep.replay.reconcile.ReplayResultFile;
import dev.lockstep.replay.reconcile.ResultsDialect;
import dev.lockstep.replay.reconcile.Whole;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code replay energy} and {@code replay compare} share: parts, the whole, power, and the options about them. */
final class ReplayAccount {
    @SuppressWarnings("NullAway.Init") // a required argument
    private Path result;

    private @Nullable Path power;
    private String domain = "";
    private ZoneId zone = ZoneOffset.UTC;
    private @Nullable String idle;
    private int forwards;
    private @Nullable Path wholeFile;

    private double idleWatts;

    private final List<Path> read = new ArrayList<>();
    private final List<Finding> claims = new ArrayList<>();

    void declare(Arguments arguments) {
        arguments.argument(
                "RESULT",
                Path.class,
                "What replay run wrote, or piep's isolated_kernels_timing.json.",
                given -> result = given);
        arguments.option(
                "--power", "FILE", Path.class, "Log of power: CSV of a sampler or meter.", given -> power = given);
        arguments.option(
                "--gpu",
                "NAME",
                String.class,
                "Take this device of the log (default: all, added up).",
                given -> domain = given);
        arguments.option(
                "--zone",
                "ZONE",
                String.class,
                "Time zone of times in the log that state none, such as Europe/Berlin or +01:00 (default: UTC).",
                given -> zone = zone(given));
        arguments.option(
                "--idle",
                "W|auto",
                String.class,
                "Take idle power away: watts, or auto for the lowest tenth before the first window.",
                given -> idle = given);
        arguments.option(
                "--forwards",
                "N",
                Integer.class,
                "How often the model ran in the recording (default: told from steps or counts).",
                given -> forwards = atLeastOne(given));
        arguments.option(
                "--whole",
                "FILE",
                Path.class,
                "Time and energy of the whole as piep's full_model_timing.json states them.",
                given -> wholeFile = given);
    }

    private static ZoneId zone(String name) {
        try {
            return ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--zone " + name + " is no time zone",
                    "For example Europe/Berlin, +01:00",
                    e);
        }
    }

    private static int atLeastOne(int given) {
        if (given < 1) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--forwards wants a number of at least 1", null);
        }
        return given;
    }

    /** How often the model ran, as the user says; 0 when he does not. */
    int forwards() {
        return forwards;
    }

    /** Files that were read and must not be overwritten. */
    List<Path> read() {
        return List.copyOf(read);
    }

    /** What others said about the numbers. */
    List<Finding> claims() {
        return List.copyOf(claims);
    }

    /** Adds something to what is said about the numbers. */
    void claim(Finding finding) {
        claims.add(finding);
    }

    Path result() {
        return result;
    }

    /** The parts; for files of piep, the whole and its power are sought beside them. */
    Parts parts() throws IOException {
        Path file = Files.isDirectory(result) ? result.resolve("isolated_kernels_timing.json") : result;
        Members document = ReplayResultFile.document(file);
        read.add(file);
        if (ReplayResultFile.recognises(document)) {
            return new Parts(ReplayResultFile.read(document, file.toString()), Whole.UNKNOWN, power);
        }
        ResultsDialect theirs = theirs(document, file);
        ResultsDialect.Beside beside = theirs.beside(file);
        read.addAll(beside.read());
        claims.addAll(beside.claims());
        Whole whole = beside.whole();
        return new Parts(theirs.isolated(document, file.toString()), whole, power == null ? beside.power() : power);
    }

    private static ResultsDialect theirs(Members document, Path file) throws TraceFormatException {
        for (ResultsDialect dialect : Dialects.parts(ResultsDialect.class)) {
            if (dialect.recognises(document)) {
                return dialect;
            }
        }
        throw new TraceFormatException(
                ErrorCode.FORMAT_UNKNOWN,
                file.toString(),
                0,
                "expected a result of lockstep replay run, or piep's times of isolated kernels",
                null);
    }

    /** @param power the log to join, null for none */
    record Parts(Isolated isolated, Whole whole, @Nullable Path power) {}

    /** The whole, with what {@code --whole} says of it. */
    Whole whole(Whole known, List<PowerSeries> series) throws IOException {
        if (wholeFile == null) {
            return known;
        }
        read.add(wholeFile);
        Members document = ReplayResultFile.document(wholeFile);
        ResultsDialect theirs = Dialects.parts(ResultsDialect.class).getFirst();
        Whole stated = theirs.whole(document, wholeFile.toString());
        Part.Window window = theirs.window(document);
        double runs = document.number("num_runs");
        double joules = stated.joules();
        if (window != null && runs > 0 && !series.isEmpty()) {
            Energy energy = EnergyAccount.energy(
                    series.stream().map(EnergyIntegrator::new).toList(), window);
            if (energy != null && !Double.isNaN(energy.joules())) {
                joules = energy.without(idleWatts).joules() / runs;
            }
        }
        return new Whole(
                stated.source(),
                Double.isNaN(stated.ns()) ? known.ns() : stated.ns(),
                Double.isNaN(joules) ? known.joules() : joules,
                known.activity());
    }

    /** The series of the log that count. */
    List<PowerSeries> series(Path log, Isolated isolated) throws IOException {
        PowerLog all = PowerLog.read(log, zone);
        read.add(log);
        if (all.skipped() > 0) {
            claims.add(new Finding(
                    Severity.NOTICE,
                    "power_skipped",
                    all.skipped() + " lines of " + log + " hold no power; they count for nothing, not for 0 W.",
                    log.toString()));
        }
        List<PowerSeries> series = all.of(domain);
        if (series.isEmpty()) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    log + " holds no power" + (domain.isEmpty() ? "" : " of " + domain),
                    all.series().isEmpty()
                            ? null
                            : all.series().stream()
                                    .map(PowerSeries::domain)
                                    .collect(Collectors.joining(", ", "It knows: ", "")));
        }
        idleWatts = idle(series, isolated);
        return series;
    }

    private double idle(List<PowerSeries> series, Isolated isolated) {
        if (idle == null) {
            return 0;
        }
        if (!idle.equals("auto")) {
            try {
                double watts = Double.parseDouble(idle);
                if (watts >= 0 && Double.isFinite(watts)) {
                    return watts;
                }
            } catch (NumberFormatException e) {
                // said below
            }
            throw new UserException(ErrorCode.OPTION_INVALID, "--idle wants watts, or auto: " + idle, null);
        }
        long first = Long.MAX_VALUE;
        for (Part part : isolated.parts()) {
            Part.Window window = part.window();
            first = window == null ? first : Math.min(first, window.start());
        }
        long moment = first;
        double watts = series.stream().mapToDouble(s -> s.quietBefore(moment)).sum();
        if (Double.isNaN(watts)) {
            throw new UserException(
                    ErrorCode.DATA_MISSING,
                    "--idle auto: the log holds fewer than three samples before the first window",
                    "Start sampling earlier, or give the watts.");
        }
        claims.add(new Finding(
                Severity.INFO,
                "idle_power",
                String.format(
                        Locale.ROOT,
                        "Idle power is %.2f W: a tenth of the samples before the first window are not above it.",
                        watts),
                "log of power"));
        return watts;
    }

    /** Watts that are taken away. */
    double idleWatts() {
        return idleWatts;
    }
}
