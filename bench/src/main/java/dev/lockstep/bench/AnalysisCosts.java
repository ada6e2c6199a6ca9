// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.bench;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.derive.Derived;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.reporting.PerformanceReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * What reading a trace and each analysis and derived structure of its report cost, cold, for a million slices: processor time and
 * what is allocated, by samples of Flight Recorder. What several share is counted with the one that asks first.
 *
 * <p>{@code ./lockstep-bench costs [TRACE]}; needs Linux
 */
public final class AnalysisCosts {
    private static final String CPU = "jdk.CPUTimeSample";
    private static final String ALLOCATION = "jdk.ObjectAllocationSample";
    private static final int MEGABYTES = 600;
    private static final double MILLION = 1e6;
    private static final double LEAST_MS = 1;

    /** Sums over a whole trace. */
    private static final class Cost {
        private double ms;
        private double bytes;
    }

    private final Map<String, Cost> costs = new HashMap<>();
    private final Map<String, String> known = new HashMap<>();

    private AnalysisCosts() {}

    /** Prints a table of the trace that is named, or of a made one of 600 MB. */
    public static void main(String[] args) throws IOException {
        Path scratch = Samples.scratch();
        try (Recording recording = new Recording()) {
            Path file = args.length > 0 ? Path.of(args[0]) : Samples.file(scratch, MEGABYTES);
            recording.enable(CPU).with("throttle", "2ms").withStackTrace();
            recording.enable(ALLOCATION).with("throttle", "5000/s").withStackTrace();
            recording.start();
            Trace trace = Samples.read(file);
            PerformanceReport.of(trace, ReportOptions.standard());
            recording.stop();
            Path samples = scratch.resolve("samples.jfr");
            recording.dump(samples);
            AnalysisCosts costs = new AnalysisCosts();
            costs.add(samples);
            costs.print(trace.slices().size(), new PrintStream(System.out, true, StandardCharsets.UTF_8));
        } finally {
            Samples.delete(scratch);
        }
    }

    private void add(Path samples) throws IOException {
        try (RecordingFile file = new RecordingFile(samples)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                if (event.getStackTrace() == null) {
                    continue;
                }
                Cost cost = costs.computeIfAbsent(of(event.getStackTrace().getFrames()), name -> new Cost());
                if (event.getEventType().getName().equals(CPU)) {
                    cost.ms += event.getDuration("samplingPeriod").toNanos() / MILLION;
                } else if (event.getEventType().getName().equals(ALLOCATION)) {
                    cost.bytes += event.getLong("weight");
                }
            }
        }
    }

    /** The innermost analysis or derived structure at work; else reading, or what is left. */
    private String of(List<RecordedFrame> frames) {
        String found = "";
        for (int i = 0; i < frames.size() && found.isEmpty(); i++) {
            found = known.computeIfAbsent(frames.get(i).getMethod().getType().getName(), AnalysisCosts::named);
        }
        return found.isEmpty() ? "the rest" : found;
    }

    private static String named(String type) {
        if (type.startsWith("dev.lockstep.read.") || type.startsWith("dev.lockstep.session.")) {
            return "reading";
        }
        if (!type.startsWith("dev.lockstep.")) {
            return "";
        }
        try {
            Class<?> of = Class.forName(type, false, AnalysisCosts.class.getClassLoader());
            boolean counts = Analysis.class.isAssignableFrom(of) || Derived.class.isAssignableFrom(of);
            return counts ? (of.getNestHost() == of ? of : of.getNestHost()).getSimpleName() : "";
        } catch (ClassNotFoundException e) {
            return ""; // made while the program ran
        }
    }

    private void print(int slices, PrintStream out) {
        double millions = slices / MILLION;
        out.printf(Locale.ROOT, "%,d slices%n%n", slices);
        out.println("| | ms for a million slices | MB allocated |");
        out.println("|---|---:|---:|");
        Comparator<Map.Entry<String, Cost>> dearest = Comparator.comparingDouble(entry -> -entry.getValue().ms);
        costs.entrySet().stream()
                .filter(entry -> entry.getValue().ms >= LEAST_MS * millions)
                .sorted(dearest.thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> out.printf(
                        Locale.ROOT,
                        "| %s | %.0f | %.0f |%n",
                        entry.getKey(),
                        entry.getValue().ms / millions,
                        entry.getValue().bytes / MILLION / millions));
    }
}
