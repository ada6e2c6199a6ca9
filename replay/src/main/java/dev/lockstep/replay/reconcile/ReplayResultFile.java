// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.kernels.ForwardPasses;
import dev.lockstep.replay.reconcile.Part.Identity;
import dev.lockstep.replay.reconcile.Part.Window;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what {@code lockstep replay run} writes. */
public final class ReplayResultFile {
    private static final String FORMAT = "lockstep-replay-result";
    private static final int VERSION = 1;

    /** Code of the finding that times on the device hold their launch. */
    static final String LAUNCH_INCLUDED = "launch_included";

    private ReplayResultFile() {}

    /** The document of a file. */
    public static Members document(Path file) throws IOException {
        try {
            if (Json.parse(NamedFiles.bytes(file)) instanceof Members members) {
                return members;
            }
        } catch (JsonProcessingException e) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_CORRUPT, file.toString(), Json.position(e), Json.problem(e), null);
        }
        throw new TraceFormatException(ErrorCode.FORMAT_UNKNOWN, file.toString(), 0, "expected a JSON object", null);
    }

    /** Whether the document is a result of ours. */
    public static boolean recognises(Members document) {
        return FORMAT.equals(document.text("format"));
    }

    /**
     * The parts of a result.
     *
     * @throws TraceFormatException naming the file when it is no result, or of another version
     */
    public static MeasuredParts read(Path file) throws IOException {
        Members document = document(file);
        if (!recognises(document)) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, file.toString(), 0, "expected a result of lockstep replay run", null);
        }
        return read(document, file.toString());
    }

    /**
     * The parts of a result. Times recorded on the device count if there are any, else those on the host.
     *
     * @throws TraceFormatException when it is of another version
     */
    public static MeasuredParts read(Members document, String source) throws TraceFormatException {
        if (document.whole("version", -1) != VERSION) {
            throw new TraceFormatException(
                    ErrorCode.FORMAT_UNKNOWN, source, -1, "the result is of another version", "Make it again.");
        }
        List<Json> operators = document.items("operators");
        boolean device = operators.stream()
                .anyMatch(item -> item instanceof Members operator && operator.number("recorded_device_ns") > 0);
        List<Part> parts = new ArrayList<>();
        for (Json item : operators) {
            if (item instanceof Members operator) {
                parts.add(part(operator, device ? "recorded_device_ns" : "recorded_cpu_ns"));
            }
        }
        return new MeasuredParts(
                source,
                parts,
                Math.clamp(document.whole("steps", 0), 0, Integer.MAX_VALUE),
                "inferred".equals(document.text("steps_source"))
                        ? ForwardPasses.Source.SEQUENCE
                        : ForwardPasses.Source.ANNOTATION,
                devices(document.object("environment")),
                remarks(document, device));
    }

    private static List<String> devices(Members environment) {
        return Stream.of(environment.text("bus_id"), environment.text("uuid"))
                .filter(Objects::nonNull)
                .toList();
    }

    private static List<Finding> remarks(Members document, boolean device) {
        List<Finding> remarks = new ArrayList<>();
        Members order = document.object("in_order");
        String failure = order.text("failure");
        if (failure != null || order.members().isEmpty()) {
            remarks.add(new Finding(
                    Severity.INFO,
                    "cache_effects_unknown",
                    (failure == null
                                    ? "The parts were only measured alone."
                                    : "They were not run in recorded order: " + failure + ".")
                            + " lockstep replay run --mode sequence separates cache effects from other conditions.",
                    "in_order"));
        }
        unqueued(document, remarks);
        String on = document.object("environment").text("device");
        if (device && "cpu".equals(on)) {
            remarks.add(new Finding(
                    Severity.NOTICE,
                    "unlike_devices",
                    "The parts ran on a CPU, the recorded times are those of another device. The difference is mainly one"
                            + " of devices. --device cuda replays on a GPU.",
                    "environment: device"));
        }
        return remarks;
    }

    /** Operators whose times on the device hold the launch on the host more often than not. */
    private static void unqueued(Members document, List<Finding> remarks) {
        long timed = 0;
        long launched = 0;
        for (Json item : document.items("operators")) {
            if (item instanceof Members operator && operator.get("device") instanceof Members device) {
                timed++;
                launched += 2 * operator.whole("queued", 0) < device.whole("runs", 1) ? 1 : 0;
            }
        }
        if (launched > 0) {
            remarks.add(new Finding(
                    Severity.NOTICE,
                    LAUNCH_INCLUDED,
                    "Times on the device of " + launched + " of " + timed
                            + " parts include their launch on the CPU. Short ones are measured too long.",
                    "operators: queued"));
        }
    }

    private static Part part(Members operator, String recorded) {
        Members timing =
                operator.get("device") instanceof Members ? operator.object("device") : operator.object("host");
        String status = operator.text("status");
        String reason = operator.text("reason");
        double median = time(timing);
        return new Part(
                new Identity(
                        Math.clamp(operator.whole("id", -1), -1, Integer.MAX_VALUE),
                        name(operator),
                        status == null ? "" : status,
                        json(operator.get("shapes")),
                        json(operator.get("types")),
                        json(operator.get("values"))),
                Math.max(0, operator.whole("calls", 0)),
                sound(operator.number("calls_per_step")),
                median,
                time(operator.object("in_order")),
                operator.whole("executed", -1),
                window(operator.object("window")),
                sound(operator.number(recorded)),
                Double.isNaN(median) ? reason == null ? "not run" : reason : null);
    }

    private static double time(Members timing) {
        return sound(timing.number("median_ns"));
    }

    /** NaN for what no time and no count can be. */
    private static double sound(double number) {
        return number >= 0 && Double.isFinite(number) ? number : Double.NaN;
    }

    private static @Nullable String json(@Nullable Json tree) {
        return tree == null ? null : tree.spelt();
    }

    private static String name(Members operator) {
        String name = operator.text("name");
        return name == null ? "" : name;
    }

    private static @Nullable Window window(Members window) {
        long start = window.whole("start_ns", -1);
        long end = window.whole("end_ns", -1);
        return start >= 0 && end > start ? new Window(start, end) : null;
    }
}
