// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import dev.lockstep.analyze.memory.AllocationOwners.Pass;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a recorded stack says about who asked for memory.
 *
 * @param name the first frames of Python that are neither PyTorch's nor the standard library's, as in {@code forward model.py:42}
 * @param line the first frame outside of all installed libraries; null when there is none
 * @param pass what the program was doing
 */
record StackOwner(String name, @Nullable String line, Pass pass) {
    private static final Pattern TORCH =
            Pattern.compile("/(site|dist)-packages/(torch|functorch|triton)/|/torchinductor_|<eval_with_key>");
    private static final Pattern INSTALLED = Pattern.compile("/(site|dist)-packages/");
    private static final Pattern STANDARD_LIBRARY = Pattern.compile(
            "/lib(64)?/python3(\\.\\d+)?/(?!(site|dist)-packages)|/[Pp]ython3\\d+/[Ll]ib/(?!site-packages)"
                    + "|/envs/[^/]+/[Ll]ib/(?!site-packages|python)|<frozen ");
    private static final String BACKWARD_THREAD = "(backward, in a thread of autograd)";
    /** Files of Python, and what is typed into it; C functions of Python itself have files, too. */
    private static final Pattern PYTHON = Pattern.compile("\\.pyx?$|<(ipython-input|stdin|string)");

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
        String line = null;
        int named = 0;
        Pass pass = Pass.FORWARD;
        for (String frame : frames.split("\n")) {
            if (named < depth && isOwn(frame)) {
                own.append(named++ == 0 ? "" : CALLED_BY).append(frame);
            }
            if (line == null
                    && isOwn(frame)
                    && !INSTALLED.matcher(slashes(frame)).find()) {
                line = frame;
            }
            if (OPTIMIZER.matcher(frame).matches()) {
                pass = Pass.OPTIMIZER;
            } else if (pass == Pass.FORWARD && BACKWARD.matcher(frame).matches()) {
                pass = Pass.BACKWARD;
            }
        }
        String none = pass == Pass.BACKWARD ? BACKWARD_THREAD : AllocationOwners.OUTSIDE;
        return new StackOwner(named == 0 ? none : own.toString(), depth > 1 ? null : line, pass);
    }

    private static boolean isOwn(String frame) {
        int line = frame.lastIndexOf(':');
        String place = slashes(line < 0 ? frame : frame.substring(0, line));
        return line >= 0
                && PYTHON.matcher(place).find()
                && !TORCH.matcher(place).find()
                && !STANDARD_LIBRARY.matcher(place).find();
    }

    private static String slashes(String frame) {
        return frame.replace('\\', '/');
    }
}
