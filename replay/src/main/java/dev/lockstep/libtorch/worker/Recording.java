// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.OperatorHandle;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/**
 * Records a few training steps twice: with the profiler, which gives times, and with the observer of execution traces,
 * which gives all inputs. Both at once would show the times of both.
 */
final class Recording {
    private static final int WARMUPS = 3;
    private static final int STEPS = 5;
    private static final int CALLS = 2000;

    private final Path folder;

    Recording(Path folder) {
        this.folder = folder;
    }

    /**
     * Writes {@link WorkerSettings#TRACE} and {@link WorkerSettings#EXECUTION_TRACE} into the folder.
     *
     * @return what recording a call costs, in ns
     */
    long run() throws IOException {
        if (!Profiler.isAvailable()) {
            throw new IOException("this build of libtorch does not export the calls that start its profiler");
        }
        torch.manual_seed(0);
        TinyTransformer model = new TinyTransformer();
        for (int i = 0; i < WARMUPS; i++) {
            model.step();
        }
        try (Profiler profiler = new Profiler()) {
            profiler.start();
            steps(model);
            profiler.stop(folder.resolve(WorkerSettings.TRACE));
            profiler.startExecutionTrace(folder.resolve(WorkerSettings.EXECUTION_TRACE));
            steps(model);
            profiler.stopExecutionTrace();
        }
        return cost();
    }

    private static void steps(TinyTransformer model) {
        for (int i = 0; i < STEPS; i++) {
            try (PointerScope scope = new PointerScope()) {
                IValueVector mark = new IValueVector(new IValue("ProfilerStep#" + i), new IValue());
                operator("profiler::_record_function_enter_new", "").callBoxed(mark);
                model.step();
                operator("profiler::_record_function_exit", "_RecordFunction").callBoxed(mark);
            }
        }
    }

    private static OperatorHandle operator(String name, String overload) {
        return Dispatcher.singleton().findSchemaOrThrow(name, overload);
    }

    /** The difference that the profiler makes to the shortest operator. */
    private long cost() {
        try (Profiler profiler = new Profiler()) {
            long bare = viewNs();
            profiler.start();
            long recorded = viewNs();
            profiler.stop(folder.resolve(".cost.json"));
            return Math.max(0, recorded - bare);
        }
    }

    private static long viewNs() {
        long[] took = new long[CALLS];
        try (PointerScope scope = new PointerScope()) {
            Tensor tensor = torch.ones(2);
            for (int i = 0; i < CALLS; i++) {
                try (PointerScope inner = new PointerScope()) {
                    long start = System.nanoTime();
                    tensor.detach();
                    took[i] = System.nanoTime() - start;
                }
            }
        }
        Arrays.sort(took);
        return took[CALLS / 2];
    }
}
