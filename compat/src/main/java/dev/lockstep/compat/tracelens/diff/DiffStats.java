// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.MicrosecondDoubles;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What each device activity of either trace has to do with the nearest node that both traces share. */
final class DiffStats {
    private static final Pattern LINE = Pattern.compile("\\(\\d+\\)");
    private static final Pattern DIGITS = Pattern.compile("_\\d+$");
    private static final String MODULE = "nn.Module:";
    private static final double NS_PER_US = 1000;

    /**
     * A device activity.
     *
     * @param op slice of the operator that launched it
     * @param activity its slice
     * @param second whether it is of trace 2
     * @param busyNs time in which anything ran that this trace has below the same shared node
     * @param sharedName name of the shared node, of both traces if they differ; null when there is none
     * @param shared number of the shared node, -1 when there is none
     * @param modules modules around the operator, outermost first
     */
    record Row(
            String name,
            String opName,
            int op,
            int activity,
            boolean second,
            @Nullable String inputDims,
            @Nullable String inputStrides,
            @Nullable String inputTypes,
            @Nullable String concreteInputs,
            long durationNs,
            long busyNs,
            @Nullable String sharedName,
            int shared,
            int opIndex,
            int activityIndex,
            List<String> modules) {
        /** What is said of it beyond the trace it comes from. */
        private boolean saysTheSameAs(Row other) {
            return name.equals(other.name)
                    && opName.equals(other.opName)
                    && opIndex == other.opIndex
                    && Objects.equals(inputDims, other.inputDims)
                    && Objects.equals(inputStrides, other.inputStrides)
                    && Objects.equals(inputTypes, other.inputTypes)
                    && Objects.equals(concreteInputs, other.concreteInputs)
                    && durationNs == other.durationNs
                    && busyNs == other.busyNs
                    && Objects.equals(sharedName, other.sharedName)
                    && shared == other.shared
                    && activityIndex == other.activityIndex
                    && modules.equals(other.modules);
        }

        String innermostModule() {
            return modules.getLast();
        }
    }

    private final MergedTree tree;
    private final List<Row> rows = new ArrayList<>();
    private final BitSet done = new BitSet();

    private DiffStats(MergedTree tree) {
        this.tree = tree;
        for (int i = 0; i < tree.rootCount(); i++) {
            walk(tree.root(i));
        }
    }

    /** The activities in the order in which the tool lists them. */
    static List<Row> of(MergedTree tree) {
        return new DiffStats(tree).rows;
    }

    /** Whether the two traces say the same, activity by activity; then the tool shows one of them alone. */
    static boolean areIdentical(List<Row> rows) {
        List<Row> first = rows.stream().filter(r -> !r.second).toList();
        List<Row> second = rows.stream().filter(Row::second).toList();
        if (first.size() != second.size()) {
            return false;
        }
        for (int i = 0; i < first.size(); i++) {
            if (!first.get(i).saysTheSameAs(second.get(i))) {
                return false;
            }
        }
        return true;
    }

    private void walk(int root) {
        IntList nodes = new IntList(64);
        IntList parents = new IntList(64);
        nodes.add(root);
        parents.add(-1);
        while (nodes.size() > 0) {
            int node = nodes.removeLast();
            int parent = parents.removeLast();
            if (done.get(node)) {
                continue;
            }
            if (!tree.isCombined(node)) {
                apart(node, parent);
                continue;
            }
            boolean path1 = tree.one().isOnPath(tree.first(node));
            boolean path2 = tree.two().isOnPath(tree.second(node));
            if (path1 && path2) {
                combined(node);
            }
            if (path1 || path2) {
                for (int k = tree.childCount(node) - 1; k >= 0; k--) {
                    nodes.add(tree.child(node, k));
                    parents.add(node);
                }
            }
        }
    }

    /** A node of one trace alone: all that it holds belongs to the shared node above. */
    private void apart(int node, int parent) {
        done.set(node);
        boolean second = tree.first(node) < 0;
        Side side = second ? tree.two() : tree.one();
        int slice = second ? tree.second(node) : tree.first(node);
        if (!side.isOnPath(slice)) {
            return;
        }
        int above = parent < 0 ? -1 : second ? tree.second(parent) : tree.first(parent);
        String name = above < 0 ? null : withoutLine(side.trace().name(above));
        IntList work = new IntList(4);
        addWork(side, slice, work);
        add(side, second, work, name, parent);
    }

    /** A node of both traces, some of whose children are of one trace alone, or which is device activity itself. */
    private void combined(int node) {
        int first = tree.first(node);
        int second = tree.second(node);
        IntList work1 = new IntList(4);
        IntList work2 = new IntList(4);
        IntList alone = new IntList(4);
        for (int k = 0; k < tree.childCount(node); k++) {
            int child = tree.child(node, k);
            if (tree.isCombined(child)) {
                continue;
            }
            boolean ofSecond = tree.first(child) < 0;
            Side side = ofSecond ? tree.two() : tree.one();
            int slice = ofSecond ? tree.second(child) : tree.first(child);
            if (side.isOnPath(slice)) {
                IntList work = ofSecond ? work2 : work1;
                addWork(side, slice, work);
                addIfListed(side, slice, work);
                alone.add(child);
            }
        }
        boolean listed = tree.one().isListed(first) && tree.two().isListed(second);
        if (alone.size() == 0 && !listed) {
            return;
        }
        addIfListed(tree.one(), first, work1);
        addIfListed(tree.two(), second, work2);
        String name1 = withoutLine(tree.one().trace().name(first));
        String name2 = withoutLine(tree.two().trace().name(second));
        String name = name1.equals(name2) ? name1 : name1 + " | " + name2;
        add(tree.one(), false, work1, name, node);
        add(tree.two(), true, work2, name, node);
        done.set(node);
        for (int k = 0; k < alone.size(); k++) {
            done.set(alone.get(k));
        }
    }

    private static void addWork(Side side, int slice, IntList into) {
        if (!side.trace().slices().kind(slice).isDeviceActivity()) {
            for (int activity : side.workInFileOrder(slice)) {
                into.add(activity);
            }
        }
    }

    private static void addIfListed(Side side, int slice, IntList into) {
        if (side.isListed(slice)) {
            into.add(slice);
        }
    }

    private void add(Side side, boolean second, IntList work, @Nullable String sharedName, int shared) {
        Trace trace = side.trace();
        Slices slices = trace.slices();
        OpDetails details = trace.view(OpDetails.KEY);
        long busy = busy(slices, work);
        for (int i = 0; i < work.size(); i++) {
            int activity = work.get(i);
            int op = side.opAround(activity);
            if (op < 0) {
                continue;
            }
            int row = details == null ? -1 : details.of(op);
            OpDetails known = row < 0 ? null : details;
            rows.add(new Row(
                    trace.name(activity),
                    trace.name(op),
                    op,
                    activity,
                    second,
                    known == null ? null : trace.strings().orNull(known.inputDims(row)),
                    known == null ? null : trace.strings().orNull(known.inputStrides(row)),
                    known == null ? null : trace.strings().orNull(known.inputTypes(row)),
                    known == null ? null : trace.strings().orNull(known.concreteInputs(row)),
                    slices.dur(activity),
                    busy,
                    sharedName,
                    shared,
                    slices.index(op),
                    slices.index(activity),
                    modules(side, op)));
        }
    }

    /**
     * In doubles of microseconds, whose ends are rounded sums of start and duration, as the tool computes; it rounds the
     * result to nanoseconds.
     */
    private static long busy(Slices slices, IntList work) {
        int[] sorted = work.toArray();
        Arrays.sort(sorted);
        double total = 0;
        double start = 0;
        double reached = Double.NEGATIVE_INFINITY;
        for (int activity : sorted) {
            double from = MicrosecondDoubles.start(slices, activity);
            double to = MicrosecondDoubles.end(slices, activity);
            if (from > reached) {
                total += reached > start ? reached - start : 0;
                start = from;
            }
            reached = Math.max(reached, to);
        }
        total += reached > start ? reached - start : 0;
        return Math.round(total * NS_PER_US);
    }

    private static List<String> modules(Side side, int op) {
        List<String> modules = new ArrayList<>();
        for (int node = side.tree().parent(op); node >= 0; node = side.tree().parent(node)) {
            String name = side.trace().name(node);
            if (name.startsWith(MODULE)) {
                modules.add(DIGITS.matcher(name).replaceFirst(""));
            }
        }
        return modules.isEmpty() ? List.of("root") : modules.reversed();
    }

    private static String withoutLine(String name) {
        return LINE.matcher(name).replaceAll("");
    }

    /** The derived trees come from these. */
    static MergedTree merge(DerivedCache one, DerivedCache two, boolean python) {
        NodeNames names = new NodeNames();
        return new MergedTree(new Side(one, python, names), new Side(two, python, names));
    }
}
