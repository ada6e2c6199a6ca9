// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/** Categories of complete events, in the order in which a rank's events of a step are written. */
enum Category {
    CPU_OP(0, "cpu_op", 0),
    USER_ANNOTATION(1, "user_annotation", 0),
    PYTHON_FUNCTION(2, "python_function", 1),
    CUDA_RUNTIME(3, "cuda_runtime", 2),
    CUDA_DRIVER(4, "cuda_driver", 2),
    KERNEL(5, "kernel", 2),
    GPU_MEMCPY(6, "gpu_memcpy", 2),
    GPU_MEMSET(7, "gpu_memset", 2),
    GPU_USER_ANNOTATION(8, "gpu_user_annotation", 3),
    CUDA_SYNC(9, "cuda_sync", 2);

    /** Number of distinct {@link #pass} values. */
    static final int PASSES = 4;

    private final int index;
    private final String text;
    private final int pass;

    Category(int index, String text, int pass) {
        this.index = index;
        this.text = text;
        this.pass = pass;
    }

    /** Place among {@link #values}. */
    int index() {
        return index;
    }

    String text() {
        return text;
    }

    /** Host activity is written before device activity, as the profiler does. */
    int pass() {
        return pass;
    }
}
