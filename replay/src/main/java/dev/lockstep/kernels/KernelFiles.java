// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
import dev.lockstep.codec.JsonOut.Spelt;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Steps;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.kernels.Content.Executed;
import dev.lockstep.kernels.Content.Joined;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Totals;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.write.CsvLines;
import dev.lockstep.write.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What stands beside the sheets: unique kernels as JSON lines, a summary, counts by device, and every single launch. */
final class KernelFiles {
    private static final long NS_PER_US = 1000;

    private KernelFiles() {}

    /**
     * Writes {@code unique_kernels.jsonl}, {@code kernel_counts.csv} and {@code summary.json} into a folder that exists.
     *
     * @param inputs what the kernels were found in
     */
    static void write(Result result, List<String> inputs, Path folder) throws IOException {
        unique(result, folder.resolve("unique_kernels.jsonl"));
        NamedFiles.write(folder.resolve("kernel_counts.csv"), counts(result));
        summary(result, inputs, folder.resolve("summary.json"));
    }

    private static void unique(Result result, Path file) throws IOException {
        try (Writer lines = NamedFiles.writer(file)) {
            for (UniqueKernel kernel : result.kernels()) {
                lines.write(json(kernel) + "\n");
            }
        }
    }

    private static JsonObject json(UniqueKernel kernel) {
        Durations durations = kernel.durations();
        return new JsonObject()
                .with("kernel", kernel.number())
                .with("name", kernel.identity().name())
                .with(
                        "device",
                        String.join(
                                ",",
                                kernel.places().stream()
                                        .map(Place::device)
                                        .distinct()
                                        .toList()))
                .with("signature", signature(kernel.identity()))
                .with("count", kernel.calls())
                .with("category", kernel.category())
                .with("tier", kernel.tier().number())
                .withKnown(
                        "time_us",
                        durations == null
                                ? null
                                : new JsonObject()
                                        .with("sum", us(durations.sum()))
                                        .with("min", us(durations.least()))
                                        .with("p10", us(durations.p10()))
                                        .with("median", durations.median() / NS_PER_US)
                                        .with("p90", us(durations.p90()))
                                        .with("max", us(durations.most())));
    }

    private static JsonObject signature(KernelIdentity identity) {
        return new JsonObject()
                .with("name", identity.name())
                .withKnown("grid", raw(identity.launch().grid()))
                .withKnown("block", raw(identity.launch().block()))
                .withKnown("shared memory", identity.launch().sharedMemory())
                .withKnown("bytes", identity.launch().bytes())
                .withKnown("registers", identity.launch().registers())
                .withKnown("op", identity.operator().name())
                .withKnown("shapes", raw(identity.operator().shapes()))
                .withKnown("types", raw(identity.operator().types()))
                .withKnown("strides", raw(identity.operator().strides()));
    }

    private static @Nullable Spelt raw(@Nullable String json) {
        return json == null ? null : new Spelt(json);
    }

    private static Spelt us(long ns) {
        return new Spelt(Numbers.plain(ns, NS_PER_US));
    }

    /** Counts by device, class and name, most first. */
    private static String counts(Result result) {
        Map<List<String>, Long> counts = new TreeMap<>(Comparator.comparing(KernelFiles::joined));
        for (UniqueKernel kernel : result.kernels()) {
            String use = kernel.use().name().toLowerCase(Locale.ROOT);
            for (Place place : kernel.places()) {
                counts.merge(List.of(place.device(), use, kernel.identity().name()), place.calls(), Long::sum);
            }
        }
        List<Map.Entry<List<String>, Long>> rows = new ArrayList<>(counts.entrySet());
        rows.sort(Comparator.comparing(
                        (Map.Entry<List<String>, Long> row) -> row.getKey().get(0))
                .thenComparing(row -> row.getKey().get(1))
                .thenComparingLong(row -> -row.getValue())
                .thenComparing(row -> row.getKey().get(2)));
        CsvLines lines = new CsvLines("\n");
        lines.line(List.of("device", "category", "kernel_name", "count"));
        for (Map.Entry<List<String>, Long> row : rows) {
            lines.line(List.of(
                    row.getKey().get(0),
                    row.getKey().get(1),
                    row.getKey().get(2),
                    row.getValue().toString()));
        }
        return lines.text();
    }

    private static String joined(List<String> key) {
        return String.join("\0", key);
    }

    private static void summary(Result result, List<String> inputs, Path file) throws IOException {
        Totals totals = result.totals();
        ForwardPasses forwards = result.forwards();
        JsonObject tiers = new JsonObject();
        for (Tier tier : Tier.values()) {
            List<UniqueKernel> of =
                    result.kernels().stream().filter(k -> k.tier() == tier).toList();
            tiers.with(
                    Integer.toString(tier.number()),
                    new JsonObject()
                            .with("unique", of.size())
                            .with(
                                    "calls",
                                    of.stream().mapToLong(UniqueKernel::calls).sum()));
        }
        JsonObject summary = new JsonObject()
                .with("inputs", inputs)
                .with("content", result.content().what())
                .with("times", result.histogram() != null)
                .with(
                        "sig_fields",
                        result.key().stream().map(KeyField::spelling).toList())
                .with(
                        "totals",
                        new JsonObject()
                                .with("seen", totals.seen())
                                .with("kept", totals.kept())
                                .with("excluded", totals.excluded())
                                .with("device_filtered", totals.deviceFiltered()));
        content(result.content(), summary);
        summary.with("unique_count", result.kernels().size())
                .with("steps", result.steps())
                .with("steps_from", result.stepSource().name().toLowerCase(Locale.ROOT));
        if (forwards != null) {
            summary.with("forwards", forwards.count())
                    .with("forwards_from", forwards.source().name().toLowerCase(Locale.ROOT));
        }
        try (Writer out = NamedFiles.writer(file)) {
            JsonOut.pretty(summary.with("tiers", tiers), out);
        }
    }

    private static void content(Content content, JsonObject into) {
        Executed executed = content.executed();
        if (executed != null) {
            into.with(
                    "execution_trace",
                    new JsonObject()
                            .with("schema", executed.schema())
                            .with("linked", executed.linked())
                            .with("operators", executed.nodes().work())
                            .with("inside", executed.nodes().inside())
                            .with("containers", executed.nodes().containers())
                            .with("marks", executed.nodes().marks()));
        }
        Joined joined = content.joined();
        if (joined != null) {
            into.with(
                    "joined",
                    new JsonObject()
                            .with("execution_trace", joined.source())
                            .with("nodes", joined.nodes())
                            .with("found", joined.found())
                            .with("operators", joined.operators())
                            .with("launched", joined.launched())
                            .with("with_inputs", joined.withInputs()));
        }
    }

    /**
     * Writes every launch, in order of start: number of the unique kernel, where and when it ran, the step in which it was
     * launched, and the number that joins it with its launch. What is not known is empty.
     *
     * @param launches of the trace that the cache belongs to
     */
    static void launches(DerivedCache cache, Launches launches, @Nullable String stepAnnotation, Path file)
            throws IOException {
        Trace trace = cache.trace();
        Slices slices = trace.slices();
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        LaunchLinks links = cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        Steps steps = cache.get(new Steps.Key(stepAnnotation));
        try (Writer out = NamedFiles.writer(file)) {
            out.write("kernel,device,stream,start_us,dur_us,step,correlation\n");
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < launches.slices().length; i++) {
                int slice = launches.slices()[i];
                int row = details == null ? -1 : details.of(slice);
                int call = links.launchOf(slice);
                int step = steps.at(slices.ts(call >= 0 ? call : slice));
                line.setLength(0);
                line.append(launches.kernels()[i]).append(',');
                present(line, details == null || row < 0 ? -1 : details.device(row))
                        .append(',');
                present(line, details == null || row < 0 ? -1 : details.stream(row))
                        .append(',');
                us(line, slices.ts(slice)).append(',');
                us(line, slices.dur(slice)).append(',');
                if (step >= 0) {
                    line.append(steps.steps().get(step).number());
                }
                present(line.append(','), slices.correlation(slice)).append('\n');
                out.append(line);
            }
        }
    }

    private static StringBuilder present(StringBuilder line, long value) {
        return value < 0 ? line : line.append(value);
    }

    private static StringBuilder us(StringBuilder line, long ns) {
        return line.append(Numbers.plain(ns, NS_PER_US));
    }
}
