// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.read.TraceInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Tells logs from traces by their content: lines with times, or what a compiler says about cycles. */
final class LogFile {
    private static final int FIRST_LINES = 1 << 12;
    private static final Pattern TIME = Pattern.compile("\\s*[0-2]?\\dd:\\d.*", Pattern.DOTALL);

    /** Logs may begin with a bracket, too: {@code [INFO] ...}. */
    private static final Pattern JSON = Pattern.compile("[\\[{]\\s*(?:[\\[{\\]}\"]|$)");

    private static final Pattern COMPILER =
            Pattern.compile("Ideal/Total Cycles|Perf Summary|DSM-AutoPilot BEGIN|Ideal Clock Scaling:");

    private LogFile() {}

    static boolean is(TraceInput input) throws IOException {
        try (PrefixedSource source = input.open(new Diagnostics())) {
            String head = new String(source.head(), StandardCharsets.ISO_8859_1);
            String start = head.stripLeading();
            if (start.isEmpty() || JSON.matcher(start).lookingAt()) {
                return false;
            }
            return TIME.matcher(start.substring(0, Math.min(start.length(), FIRST_LINES)))
                            .matches()
                    || COMPILER.matcher(head).find()
                    || input.name().endsWith(".log") && isText(head);
        }
    }

    private static boolean isText(String head) {
        return head.chars().noneMatch(c -> c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1B);
    }
}
