// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Group;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a job does not go on.
 *
 * @param kind what happened
 * @param culprits the ranks whose doing it is, sorted; empty where the dumps do not say
 * @param parties the ranks among which it happened, sorted, where no culprit is known
 * @param group the group whose operation does not end
 * @param sequence the number of the operation
 * @param message whether it is sent from one rank to another
 * @param wanted the call that others wait in
 * @param instead the call that a culprit made, or its last; null where it made none
 * @param field what differs: the value of the culprit, and that of the others; empty where nothing is compared
 * @param waiting ranks that wait in the operation, sorted
 */
public record HangVerdict(
        HangKind kind,
        List<Integer> culprits,
        List<Integer> parties,
        Group group,
        long sequence,
        boolean message,
        Made wanted,
        @Nullable Made instead,
        List<String> field,
        List<Integer> waiting) {
    /**
     * A call that somebody made.
     *
     * @param rank who made it
     * @param call what, in words
     * @param stack from where; empty where that was not recorded
     * @param group in which group, in words
     */
    public record Made(int rank, String call, String stack, String group) {
        /** The innermost frame that belongs to no library: {@code train.py:42 step}; empty where no frames were recorded. */
        public String place() {
            String first = "";
            for (String frame : stack.split("\n")) {
                if (first.isEmpty()) {
                    first = frame;
                }
                if (!frame.contains("/torch/")
                        && !frame.contains("site-packages")
                        && !frame.contains("dist-packages")) {
                    return shortened(frame);
                }
            }
            return shortened(first);
        }

        private static String shortened(String frame) {
            return frame.substring(frame.lastIndexOf('/') + 1);
        }
    }

    /** Copies the lists. */
    public HangVerdict {
        culprits = List.copyOf(culprits);
        parties = List.copyOf(parties);
        field = List.copyOf(field);
        waiting = List.copyOf(waiting);
    }
}
