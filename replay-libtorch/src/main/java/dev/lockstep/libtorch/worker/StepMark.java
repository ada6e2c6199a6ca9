// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Dispatcher;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;

/** The mark of the profiler around a step. */
final class StepMark {
    private StepMark() {}

    static void around(int number, Runnable step) {
        try (PointerScope scope = new PointerScope()) {
            IValueVector mark = new IValueVector(new IValue("ProfilerStep#" + number), new IValue());
            call("profiler::_record_function_enter_new", "", mark);
            step.run();
            call("profiler::_record_function_exit", "_RecordFunction", mark);
        }
    }

    private static void call(String name, String overload, IValueVector stack) {
        Dispatcher.singleton().findSchemaOrThrow(name, overload).callBoxed(stack);
    }
}
