// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.JsonObject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What came of running an operator.
 *
 * @param gap why it did not run; null if it did
 * @param detail what the framework said about it; null if nothing
 * @param schema the signature that was called; null when none was
 * @param substitution what was run in its place, in words; null if it ran as recorded
 * @param warmups executions that were not timed
 * @param executed executions that were timed; counted, not planned
 * @param queued of these, executions that a device had in its queue as a whole before it came to them, so that their time on
 *     the device holds nothing of the launch
 * @param host time of calls on the host; null when it did not run
 * @param device time of calls on the device; null where there is none
 * @param window when the timed executions ran; null when it did not run
 */
public record OperatorRun(
        @Nullable ReplayGap gap,
        @Nullable String detail,
        @Nullable String schema,
        @Nullable String substitution,
        long warmups,
        long executed,
        long queued,
        @Nullable Timing host,
        @Nullable Timing device,
        @Nullable Window window) {
    private static final JsonFactory JSON = Json.UNLIMITED;

    /** From begin to end, in ns since 1970. */
    public record Window(long startNs, long endNs) {}

    /** An operator that did not run. */
    public static OperatorRun failed(ReplayGap gap, @Nullable String detail) {
        return new OperatorRun(gap, detail, null, null, 0, 0, 0, null, null, null);
    }

    /** The time that counts: that on the device if there is one. */
    public @Nullable Timing timing() {
        return device != null ? device : host;
    }

    /** Adds its members. */
    JsonObject into(JsonObject json) {
        return json.with("status", gap != null ? "not-run" : substitution != null ? "substituted" : "ran")
                .withKnown("reason", gap == null ? null : gap.code())
                .withKnown("detail", detail)
                .withKnown("schema", schema)
                .withKnown("substitution", substitution)
                .withKnown("warmups", gap == null ? warmups : null)
                .withKnown("executed", gap == null ? executed : null)
                .withKnown("queued", device != null ? queued : null)
                .withKnown("host", Timing.jsonOf(host))
                .withKnown("device", Timing.jsonOf(device))
                .withKnown(
                        "window",
                        window == null
                                ? null
                                : new JsonObject()
                                        .with("start_ns", window.startNs())
                                        .with("end_ns", window.endNs()));
    }

    /** As a JSON object on one line. */
    public String line() {
        return into(new JsonObject()).toString();
    }

    /** Reads what {@link #line} wrote. */
    public static OperatorRun read(String line) throws IOException {
        try (JsonParser parser = JSON.createParser(line)) {
            parser.nextToken();
            if (!(Json.read(parser) instanceof Members run)) {
                throw new IOException("expected an object");
            }
            String reason = run.text("reason");
            return new OperatorRun(
                    reason == null
                            ? null
                            : ReplayGap.of(reason).orElseThrow(() -> new IOException("unknown reason " + reason)),
                    run.text("detail"),
                    run.text("schema"),
                    run.text("substitution"),
                    run.whole("warmups", 0),
                    run.whole("executed", 0),
                    run.whole("queued", 0),
                    Timing.read(run.get("host")),
                    Timing.read(run.get("device")),
                    window(run.get("window")));
        }
    }

    private static @Nullable Window window(@Nullable Json tree) {
        return tree instanceof Members window
                ? new Window(window.whole("start_ns", 0), window.whole("end_ns", 0))
                : null;
    }
}
