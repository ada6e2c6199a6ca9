// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.codec.Json;
import dev.lockstep.model.CounterValues;
import dev.lockstep.model.Marks;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import java.io.IOException;
import java.util.Map;
import java.util.function.ObjDoubleConsumer;

/** What counters of a trace said, value by value; what is no finite number is passed over. */
public final class CounterSamples {
    private CounterSamples() {}

    /** Takes a value that was sampled at a moment. */
    public interface Sample {
        /**
         * Takes a value.
         *
         * @param mark row of {@link Marks}: when, and the name of the counter
         * @param process whose counter it is, as in {@code GPU 0 Counters}
         * @param value which of the values of the counter; empty where it has one without a name
         */
        void take(int mark, String process, String value, double number);
    }

    /** Takes a value that was counted while a kernel ran. */
    public interface OfKernel {
        /**
         * Takes a value.
         *
         * @param range the slice of the kernel
         */
        void take(int range, String counter, double number);
    }

    /**
     * Hands on all samples, in the order of the file.
     *
     * @param rules say how processes are called
     */
    public static void each(Trace trace, AnalysisRules rules, Sample sample) {
        CounterValues values = trace.view(CounterValues.KEY);
        Marks marks = trace.marks();
        for (int row = 0; values != null && row < values.size(); row++) {
            if (values.values(row) >= 0) {
                int mark = values.mark(row);
                Track track = trace.tracks().get(marks.track(mark));
                String named = rules.namesOf(track).process();
                String process = named == null ? unnamed(track.process()) : named;
                members(trace, values.values(row), (value, number) -> sample.take(mark, process, value, number));
            }
        }
    }

    /** Kineto writes what a process is called in place of its number. */
    private static String unnamed(String process) {
        return process.chars().allMatch(c -> c >= '0' && c <= '9') ? "process " + process : process;
    }

    /** Hands on what was counted in single kernels, in the order of these. */
    public static void ofKernels(Trace trace, OfKernel counted) {
        RangeCounters counters = trace.view(RangeCounters.KEY);
        for (int row = 0; counters != null && row < counters.size(); row++) {
            if (counters.values(row) >= 0) {
                int range = counters.slice(row);
                members(trace, counters.values(row), (counter, number) -> counted.take(range, counter, number));
            }
        }
    }

    private static void members(Trace trace, int text, ObjDoubleConsumer<String> taker) {
        parsed(trace.strings().get(text)).members().forEach((name, value) -> {
            if (value instanceof Json.Numeral number && Double.isFinite(number.value())) {
                taker.accept(name, number.value());
            }
        });
    }

    /** The members of a JSON object; none of what is no such text. */
    private static Json.Members parsed(String text) {
        try {
            return Json.parse(text) instanceof Json.Members members ? members : new Json.Members(Map.of());
        } catch (IOException e) {
            return new Json.Members(Map.of()); // the file has it so, and no viewer shows it
        }
    }
}
