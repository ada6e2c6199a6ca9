// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.OpCategories;
import dev.lockstep.analyze.WorkRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The kernels of matrix multiplications in a trace, by start. These are all compute kernels that an operator of that kind
 * launched, apart from those that fill or copy; where the operator is of no known kind, or unknown, those whose own names
 * say it.
 */
final class GemmKernels {
    /** Kernels that can be compared with each other: one shape on one stream. */
    static final class Group {
        /** Launcher of the first, -1 when unknown. */
        final int operator;

        final int firstKernel;
        final DeviceActivity.Stream stream;
        final IntList members = new IntList(16);

        private Group(int operator, int firstKernel, DeviceActivity.Stream stream) {
            this.operator = operator;
            this.firstKernel = firstKernel;
            this.stream = stream;
        }
    }

    private static final String FAMILY = "GEMM";

    /** Kernels that fill or copy beside the multiplication. */
    private static final Set<String> HELPERS = Set.of("elementwise", "memory");

    private static final byte ALL = 1;
    private static final byte BY_NAME = 2;
    private static final byte NONE = 3;

    private final Trace trace;
    private final Slices slices;
    private final AnalysisRules rules;
    private final DeviceActivity activity;
    private final Launchers launchers;
    private final byte[] operatorNames;
    private final byte[] kernelNames;

    /** Slices of the kernels, and of what launched them: an operator's or -1. */
    private final int[] kernel;

    private final int[] operator;
    private final int[] step;
    private final List<Group> groups = new ArrayList<>();

    GemmKernels(DerivedCache cache, WorkRules work) {
        trace = cache.trace();
        slices = trace.slices();
        rules = work.base();
        activity = cache.get(rules.activity());
        launchers = cache.get(rules.launchers());
        operatorNames = new byte[trace.strings().size()];
        kernelNames = new byte[operatorNames.length];
        IntList found = new IntList(1024);
        IntList by = new IntList(1024);
        collect(found, by);
        kernel = found.toArray();
        operator = by.toArray();
        sort();
        step = steps(cache.get(new Steps.Key(null)), cache.get(new LaunchLinks.Key(rules.links())));
        group();
    }

    int size() {
        return kernel.length;
    }

    int slice(int i) {
        return kernel[i];
    }

    /** Slice of the operator that launched the kernel, -1 when unknown. */
    int operator(int i) {
        return operator[i];
    }

    /** Place of the step among those of the trace, -1 when it lies in none. */
    int step(int i) {
        return step[i];
    }

    /** In order of their first kernels. */
    List<Group> groups() {
        return groups;
    }

    private void collect(IntList found, IntList by) {
        for (int i = 0; i < launchers.size(); i++) {
            int op = launchers.slice(i);
            boolean known = slices.kind(op) == SliceKind.CPU_OP;
            byte which = known ? judgeOperator(slices.name(op)) : BY_NAME;
            for (int k = 0; k < launchers.activityCount(i); k++) {
                take(launchers.activity(i, k), which, known ? op : -1, found, by);
            }
        }
        for (int i = 0; i < activity.size(); i++) {
            if (launchers.launcherOf(activity.slice(i)) < 0) {
                take(activity.slice(i), BY_NAME, -1, found, by);
            }
        }
    }

    private void take(int slice, byte which, int op, IntList found, IntList by) {
        boolean computes = slices.kind(slice) == SliceKind.KERNEL
                && slices.dur(slice) > 0
                && activity.classOf(slice) == KernelClass.COMPUTE;
        if (!computes || which == NONE) {
            return;
        }
        byte own = judgeKernel(slices.name(slice));
        if (own == ALL || which == ALL && own == BY_NAME) {
            found.add(slice);
            by.add(op);
        }
    }

    private byte judgeOperator(int name) {
        if (operatorNames[name] == 0) {
            String category = rules.categories().of(trace.strings().get(name), null);
            operatorNames[name] =
                    category.contains(FAMILY) ? ALL : category.equals(OpCategories.OTHER) ? BY_NAME : NONE;
        }
        return operatorNames[name];
    }

    /** Whether the kernel multiplies by its name, does so if its operator does, or only prepares something. */
    private byte judgeKernel(int name) {
        if (kernelNames[name] == 0) {
            String category = rules.categories().of("", trace.strings().get(name));
            kernelNames[name] = category.contains(FAMILY) ? ALL : HELPERS.contains(category) ? NONE : BY_NAME;
        }
        return kernelNames[name];
    }

    private void sort() {
        long[] keys = Arrays.stream(kernel).asLongStream().toArray();
        LongOrder.sort(keys, operator);
        for (int i = 0; i < kernel.length; i++) {
            kernel[i] = (int) keys[i];
        }
    }

    private int[] steps(Steps known, LaunchLinks links) {
        int[] found = new int[kernel.length];
        for (int i = 0; i < found.length; i++) {
            int launch = links.launchOf(kernel[i]);
            found[i] = launch < 0 ? -1 : known.at(slices.ts(launch));
        }
        return found;
    }

    private void group() {
        OpDetails details = trace.view(OpDetails.KEY);
        IntTuples tuples = new IntTuples();
        LongIntMap known = new LongIntMap(256);
        int place = 0;
        for (int i = 0; i < kernel.length; i++) {
            while (activity.slice(place) != kernel[i]) {
                place++;
            }
            int op = operator[i];
            int row = details == null || op < 0 ? -1 : details.of(op);
            int tuple = tuples.then(IntTuples.ROOT, slices.name(kernel[i]));
            tuple = tuples.then(tuple, activity.streamOf(place));
            tuple = tuples.then(tuple, op < 0 ? -1 : slices.name(op));
            tuple = tuples.then(tuple, details == null || row < 0 ? -1 : details.inputDims(row));
            tuple = tuples.then(tuple, details == null || row < 0 ? -1 : details.inputTypes(row));
            tuple = tuples.then(tuple, details == null || row < 0 ? -1 : details.inputStrides(row));
            int number = known.get(tuple);
            if (number < 0) {
                number = groups.size();
                known.put(tuple, number);
                groups.add(new Group(op, kernel[i], activity.streams().get(activity.streamOf(place))));
            }
            groups.get(number).members.add(i);
        }
    }
}
