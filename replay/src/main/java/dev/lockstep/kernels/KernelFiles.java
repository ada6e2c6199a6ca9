// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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
    private static final JsonFactory JSON = new JsonFactory();
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
                JsonGenerator out = JSON.createGenerator(lines);
                out.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
                write(kernel, out);
                out.close();
                lines.write('\n');
            }
        }
    }

    private static void write(UniqueKernel kernel, JsonGenerator out) throws IOException {
        out.writeStartObject();
        out.writeNumberField("kernel", kernel.number());
        out.writeStringField("name", kernel.identity().name());
        out.writeStringField(
                "device",
                String.join(
                        ",",
                        kernel.places().stream().map(Place::device).distinct().toList()));
        out.writeObjectFieldStart("signature");
        signature(kernel.identity(), out);
        out.writeEndObject();
        out.writeNumberField("count", kernel.calls());
        out.writeStringField("category", kernel.category());
        out.writeNumberField("tier", kernel.tier().number());
        Durations durations = kernel.durations();
        if (durations != null) {
            out.writeObjectFieldStart("time_us");
            us(out, "sum", durations.sum());
            us(out, "min", durations.least());
            us(out, "p10", durations.p10());
            out.writeNumberField("median", durations.median() / NS_PER_US);
            us(out, "p90", durations.p90());
            us(out, "max", durations.most());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    private static void signature(KernelIdentity identity, JsonGenerator out) throws IOException {
        out.writeStringField("name", identity.name());
        raw(out, "grid", identity.launch().grid());
        raw(out, "block", identity.launch().block());
        whole(out, "shared memory", identity.launch().sharedMemory());
        whole(out, "bytes", identity.launch().bytes());
        whole(out, "registers", identity.launch().registers());
        if (identity.operator().name() != null) {
            out.writeStringField("op", identity.operator().name());
        }
        raw(out, "shapes", identity.operator().shapes());
        raw(out, "types", identity.operator().types());
        raw(out, "strides", identity.operator().strides());
    }

    private static void raw(JsonGenerator out, String name, @Nullable String json) throws IOException {
        if (json != null) {
            out.writeFieldName(name);
            out.writeRawValue(json);
        }
    }

    private static void whole(JsonGenerator out, String name, long value) throws IOException {
        if (value >= 0) {
            out.writeNumberField(name, value);
        }
    }

    private static void us(JsonGenerator out, String name, long ns) throws IOException {
        out.writeFieldName(name);
        out.writeRawValue(Numbers.plain(ns, NS_PER_US));
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
        try (JsonGenerator out = JSON.createGenerator(NamedFiles.writer(file))) {
            out.useDefaultPrettyPrinter();
            out.writeStartObject();
            strings(out, "inputs", inputs);
            out.writeStringField("content", result.content().what());
            out.writeBooleanField("times", result.histogram() != null);
            strings(
                    out,
                    "sig_fields",
                    result.key().stream().map(KeyField::spelling).toList());
            out.writeObjectFieldStart("totals");
            out.writeNumberField("seen", totals.seen());
            out.writeNumberField("kept", totals.kept());
            out.writeNumberField("excluded", totals.excluded());
            out.writeNumberField("device_filtered", totals.deviceFiltered());
            out.writeEndObject();
            content(result.content(), out);
            out.writeNumberField("unique_count", result.kernels().size());
            out.writeNumberField("steps", result.steps());
            out.writeStringField("steps_from", result.stepSource().name().toLowerCase(Locale.ROOT));
            ForwardPasses forwards = result.forwards();
            if (forwards != null) {
                out.writeNumberField("forwards", forwards.count());
                out.writeStringField("forwards_from", forwards.source().name().toLowerCase(Locale.ROOT));
            }
            out.writeObjectFieldStart("tiers");
            for (Tier tier : Tier.values()) {
                List<UniqueKernel> of =
                        result.kernels().stream().filter(k -> k.tier() == tier).toList();
                out.writeObjectFieldStart(Integer.toString(tier.number()));
                out.writeNumberField("unique", of.size());
                out.writeNumberField(
                        "calls", of.stream().mapToLong(UniqueKernel::calls).sum());
                out.writeEndObject();
            }
            out.writeEndObject();
            out.writeEndObject();
        }
    }

    private static void content(Content content, JsonGenerator out) throws IOException {
        Executed executed = content.executed();
        if (executed != null) {
            out.writeObjectFieldStart("execution_trace");
            out.writeStringField("schema", executed.schema());
            out.writeBooleanField("linked", executed.linked());
            out.writeNumberField("operators", executed.nodes().work());
            out.writeNumberField("inside", executed.nodes().inside());
            out.writeNumberField("containers", executed.nodes().containers());
            out.writeNumberField("marks", executed.nodes().marks());
            out.writeEndObject();
        }
        Joined joined = content.joined();
        if (joined != null) {
            out.writeObjectFieldStart("joined");
            out.writeStringField("execution_trace", joined.source());
            out.writeNumberField("nodes", joined.nodes());
            out.writeNumberField("found", joined.found());
            out.writeNumberField("operators", joined.operators());
            out.writeNumberField("launched", joined.launched());
            out.writeNumberField("with_inputs", joined.withInputs());
            out.writeEndObject();
        }
    }

    private static void strings(JsonGenerator out, String name, List<String> texts) throws IOException {
        out.writeArrayFieldStart(name);
        for (String text : texts) {
            out.writeString(text);
        }
        out.writeEndArray();
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
