// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Files that people take for traces that are read here, and that are none: what they are, and what to do instead. */
public final class OtherFormats {
    /**
     * A format that nothing here reads.
     *
     * @param title what it is, with its article
     * @param hint what reads it, or how to get what is read here
     * @param isRecording whether it says what a rank of a run did, so that something of the run is missing where it is not read
     */
    public record Other(String title, String hint, boolean isRecording) {}

    private record Rule(Pattern begin, Other format) {}

    private static final int HEAD = 1024;

    private static final List<Rule> RULES = List.of(
            recording(
                    "^NVIDIA Tegra Profiler Report",
                    "a recording of Nsight Systems (.nsys-rep)",
                    "Export it first: nsys export --type=sqlite FILE.nsys-rep."),
            rule(
                    "^NVR\\x00",
                    "a report of Nsight Compute (.ncu-rep)",
                    "It holds counters of kernels, not when they ran. Record the program with Nsight Systems or"
                            + " PyTorch's profiler."),
            rule(
                    "^\\s*\\[\\s*\\{\\s*\"id\"\\s*:\\s*\\d+\\s*,\\s*\"(timestamps|model_name|parent_id|activity)\"",
                    "a trace of requests of the Triton Inference Server",
                    "It says when requests were handled, not what ran on the device. Record the server with Nsight"
                            + " Systems, or its model with PyTorch's profiler."),
            rule(
                    "^PAR1",
                    "a Parquet file",
                    "Give the trace itself; of a recording of Nsight Systems, nsys export --type=sqlite"
                            + " FILE.nsys-rep."));

    private OtherFormats() {}

    private static Rule rule(String begin, String title, String hint) {
        return new Rule(Pattern.compile(begin), new Other(title, hint, false));
    }

    private static Rule recording(String begin, String title, String hint) {
        return new Rule(Pattern.compile(begin), new Other(title, hint, true));
    }

    /**
     * The format of a file; empty for one that is not among these.
     *
     * @param head the first bytes of the unpacked content
     */
    public static Optional<Other> of(byte[] head) {
        int from = head.length >= 3 && (head[0] & 0xFF) == 0xEF && (head[1] & 0xFF) == 0xBB ? 3 : 0;
        String text = new String(head, from, Math.min(head.length - from, HEAD), StandardCharsets.ISO_8859_1);
        return RULES.stream()
                .filter(rule -> rule.begin.matcher(text).find())
                .map(Rule::format)
                .findFirst();
    }
}
