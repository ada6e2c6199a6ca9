// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.derive.ModuleFrames;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The frame of the Python program that an operator belongs to: not the machinery that passes calls on. */
final class EntryPoint {
    private static final Pattern INSTANCE = Pattern.compile("_\\d+$");
    private static final List<String> MACHINERY = List.of(
            "torch/_ops.py",
            "torch/nn/modules/module.py",
            "torch/utils/_contextlib.py",
            "torch/utils/_device.py",
            "torch/_tensor.py",
            "torch/functional.py",
            "torch/overrides.py",
            "torch/_inductor/",
            "torch/_functorch/",
            "c10d_logger",
            "triton/backends");
    private static final Set<String> PASSING_ON = Set.of(
            "__torch_function__",
            "_call_impl",
            "_wrapped_call_impl",
            "decorate_context",
            "dispatch_wrapper",
            "handle_torch_function",
            "wrapper",
            "custom_wrapper",
            "wrapper_custom",
            "outer_wrapper");

    private EntryPoint() {}

    /**
     * The frame; null when there is none.
     *
     * @param frames from the outside in, with the operator among them
     */
    static @Nullable String of(String operator, List<String> frames) {
        int at = frames.lastIndexOf(operator);
        if (at < 0) {
            at = frames.lastIndexOf(INSTANCE.matcher(operator).replaceFirst(""));
        }
        if (at < 0) {
            return null;
        }
        String local = operator.substring(operator.lastIndexOf("::") < 0 ? 0 : operator.lastIndexOf("::") + 2)
                .toLowerCase(Locale.ROOT);
        for (int i = at + 1; i < frames.size(); i++) {
            if (isPython(frames.get(i))
                    && functionOf(frames.get(i)).toLowerCase(Locale.ROOT).contains(local)) {
                return frames.get(i);
            }
        }
        for (int i = at - 1; i >= 0; i--) {
            if (isPython(frames.get(i)) && !isMachinery(frames.get(i))) {
                return frames.get(i);
            }
        }
        return null;
    }

    private static boolean isPython(String frame) {
        return frame.contains(".py");
    }

    private static boolean isMachinery(String frame) {
        return frame.startsWith("<built-in")
                || frame.startsWith("pybind11_builtins")
                || frame.startsWith(ModuleFrames.PREFIX)
                || PASSING_ON.contains(functionOf(frame))
                || MACHINERY.stream().anyMatch(frame::contains);
    }

    /** What stands behind {@code file.py(12): }. */
    private static String functionOf(String frame) {
        int colon = frame.lastIndexOf("): ");
        return colon < 0 ? "" : frame.substring(colon + 3).strip();
    }
}
