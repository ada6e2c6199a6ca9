// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.memory.AllocationOwners.Pass;
import java.util.regex.Pattern;

/**
 * What a recorded stack says about who asked for memory.
 *
 * @param name the first frames of the user's own, as in {@code forward model.py:42}
 * @param pass what the program was doing
 */
record StackOwner(String name, Pass pass) {
    private static final String TORCH = "/site-packages/torch/";
    private static final Pattern STANDARD_LIBRARY = Pattern.compile("/lib/python3\\.\\d+/(?!site-packages)");
    private static final Pattern BACKWARD =
            Pattern.compile("\\S*backward /\\S*/torch/autograd/\\S*|torch::autograd::Engine::.*");
    private static final Pattern OPTIMIZER = Pattern.compile("(step|zero_grad|_\\w+) /\\S*/torch/optim/\\S*");

    private static final String CALLED_BY = " < ";

    /**
     * @param frames a line for each frame, the innermost first: name, file, colon, line
     * @param depth how many of the user's own frames name the owner
     */
    static StackOwner of(String frames, int depth) {
        StringBuilder own = new StringBuilder();
        int named = 0;
        Pass pass = Pass.FORWARD;
        for (String frame : frames.split("\n")) {
            if (named < depth && isOwn(frame)) {
                own.append(named++ == 0 ? "" : CALLED_BY).append(frame);
            }
            if (OPTIMIZER.matcher(frame).matches()) {
                pass = Pass.OPTIMIZER;
            } else if (pass == Pass.FORWARD && BACKWARD.matcher(frame).matches()) {
                pass = Pass.BACKWARD;
            }
        }
        return new StackOwner(named == 0 ? AllocationOwners.OUTSIDE : own.toString(), pass);
    }

    private static boolean isOwn(String frame) {
        int line = frame.lastIndexOf(':');
        String place = line < 0 ? frame : frame.substring(0, line);
        boolean isNative = place.endsWith(".cpp")
                || place.endsWith(".cu")
                || place.endsWith(".h")
                || place.endsWith(" ??")
                || place.endsWith(" ");
        return !isNative
                && line >= 0
                && !place.contains(TORCH)
                && !STANDARD_LIBRARY.matcher(place).find();
    }
}
