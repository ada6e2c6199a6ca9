// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import dev.lockstep.analyze.comm.StepsByRank.HostTimes;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.RankWork;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * In which stage of a step the host of a rank was, at any time. The forward pass begins with the first operator whose gradient the
 * autograd engine computes, the backward pass with the first node of the engine. What follows the backward pass is the optimizer's, but
 * before another forward pass of the same step it is loading of data, as what precedes the first one is.
 */
final class HostStages {
    private static final String OPTIMIZER_RANGE = "Optimizer.step#";
    private static final String FORWARD_RANGE = "DataParallel.forward";

    private enum Mark {
        STEP,
        FORWARD,
        BACKWARD,
        OPTIMIZER
    }

    private final List<HostTimes.Stage> stages = new ArrayList<>();
    private final LongList since = new LongList(16);
    private final IntervalSet waiting;

    private HostStages(Marks marks, IntervalSet waiting) {
        this.waiting = waiting;
        change(Long.MIN_VALUE, HostTimes.Stage.DATA);
        long reached = Long.MIN_VALUE;
        for (int i = 0; i < marks.size(); i++) {
            long at = marks.at(i);
            Mark mark = marks.mark(i);
            HostTimes.Stage stage = stages.getLast();
            if (at < reached) {
                reached = mark == Mark.BACKWARD ? Math.max(reached, marks.end(i)) : reached;
                continue;
            }
            if (stage == HostTimes.Stage.BACKWARD && mark != Mark.BACKWARD) {
                change(reached, mark == Mark.FORWARD ? HostTimes.Stage.DATA : HostTimes.Stage.OPTIMIZER);
            }
            switch (mark) {
                case STEP -> {
                    if (stage != HostTimes.Stage.FORWARD) {
                        change(at, HostTimes.Stage.DATA);
                    }
                }
                case FORWARD -> change(at, HostTimes.Stage.FORWARD);
                case BACKWARD -> {
                    change(at, HostTimes.Stage.BACKWARD);
                    reached = marks.end(i);
                }
                case OPTIMIZER -> change(at, HostTimes.Stage.OPTIMIZER);
            }
        }
        if (stages.getLast() == HostTimes.Stage.BACKWARD) {
            change(reached, HostTimes.Stage.OPTIMIZER);
        }
    }

    private void change(long at, HostTimes.Stage to) {
        if (stages.isEmpty() || stages.getLast() != to) {
            stages.add(to);
            since.add(at);
        }
    }

    /**
     * {@return the stages of a trace; null where nothing tells them}
     *
     * @param steps when steps begin
     */
    static @Nullable HostStages of(Trace trace, RankWork work, long[] steps) {
        Slices slices = trace.slices();
        Marks marks = new Marks();
        Set<Integer> threads = new TreeSet<>();
        LongIntMap nodes = new LongIntMap(256);
        byte[] known = new byte[trace.strings().size()];
        OpDetails details = trace.view(OpDetails.KEY);
        for (int i = 0; i < slices.size(); i++) {
            SliceKind kind = slices.kind(i);
            if (kind != SliceKind.CPU_OP && kind != SliceKind.ANNOTATION) {
                continue;
            }
            int name = slices.name(i);
            if (known[name] == 0) {
                known[name] = (byte) (1 + mark(trace.name(i)).ordinal());
            }
            Mark mark = Mark.values()[known[name] - 1];
            if (mark == Mark.BACKWARD && kind == SliceKind.CPU_OP) {
                marks.add(slices.ts(i), slices.end(i), Mark.BACKWARD);
                threads.add(slices.track(i));
                int row = details == null ? -1 : details.of(i);
                if (details != null && row >= 0 && details.sequence(row) >= 0) {
                    int before = nodes.get(details.sequence(row));
                    if (before < 0 || slices.ts(i) < slices.ts(before)) {
                        nodes.put(details.sequence(row), i);
                    }
                }
            } else if (mark == Mark.FORWARD || mark == Mark.OPTIMIZER) {
                marks.add(slices.ts(i), slices.end(i), mark);
            }
        }
        if (details == null || threads.isEmpty()) {
            return null;
        }
        forward(slices, details, nodes, marks, threads);
        if (marks.lack(Mark.FORWARD)) {
            return null;
        }
        for (long step : steps) {
            marks.add(step, step, Mark.STEP);
        }
        marks.sort();
        IntervalSet waiting = work.exposed();
        for (int thread : threads) {
            waiting = waiting.union(work.blocked().getOrDefault(thread, IntervalSet.EMPTY));
        }
        return new HostStages(marks, waiting);
    }

    /** What a slice of this name marks; a step where it marks none of the others. */
    private static Mark mark(String name) {
        return name.startsWith(AutogradLinks.NODE)
                ? Mark.BACKWARD
                : name.startsWith(OPTIMIZER_RANGE)
                        ? Mark.OPTIMIZER
                        : name.endsWith(FORWARD_RANGE) ? Mark.FORWARD : Mark.STEP;
    }

    /** Of each node of the engine, the operator begun last before it with its number. */
    private static void forward(Slices slices, OpDetails details, LongIntMap nodes, Marks marks, Set<Integer> threads) {
        LongIntMap last = new LongIntMap(256);
        LongList numbers = new LongList(64);
        for (int row = 0; row < details.size(); row++) {
            long number = details.sequence(row);
            int node = number < 0 ? -1 : nodes.get(number);
            int slice = details.slice(row);
            if (node >= 0 && slices.ts(slice) < slices.ts(node)) {
                int other = last.get(number);
                if (other < 0) {
                    numbers.add(number);
                }
                if (other < 0 || slices.ts(slice) > slices.ts(other)) {
                    last.put(number, slice);
                }
            }
        }
        for (int i = 0; i < numbers.size(); i++) {
            int slice = last.get(numbers.get(i));
            marks.add(slices.ts(slice), slices.end(slice), Mark.FORWARD);
            threads.add(slices.track(slice));
        }
    }

    /** {@return what the host took in each stage from one time to another, waiting for other ranks or for the device left out} */
    HostTimes within(long from, long to) {
        long[] ns = new long[HostTimes.Stage.values().length];
        int first = Math.max(0, LongOrder.leading(since.size(), i -> since.get(i) <= from) - 1);
        for (int i = first; i < stages.size() && since.get(i) < to; i++) {
            long begin = Math.max(from, since.get(i));
            long end = Math.min(to, i + 1 < stages.size() ? since.get(i + 1) : Long.MAX_VALUE);
            if (begin < end) {
                ns[stages.get(i).ordinal()] += end - begin - waiting.within(begin, end);
            }
        }
        return new HostTimes(ns[0], ns[1], ns[2], ns[3]);
    }

    /** What begins when. */
    private static final class Marks {
        private final LongList at = new LongList(64);
        private final LongList end = new LongList(64);
        private final IntList kind = new IntList(64);
        private int[] order = {};

        void add(long begin, long until, Mark mark) {
            at.add(begin);
            end.add(until);
            kind.add(mark.ordinal());
        }

        /** By begin; a step begins before what begins with it. */
        void sort() {
            order = new int[at.size()];
            long[] keys = new long[at.size()];
            for (int i = 0; i < order.length; i++) {
                order[i] = i;
                keys[i] = 2 * at.get(i) + (kind.get(i) == Mark.STEP.ordinal() ? 0 : 1);
            }
            LongOrder.sort(keys, order);
        }

        boolean lack(Mark mark) {
            for (int i = 0; i < kind.size(); i++) {
                if (kind.get(i) == mark.ordinal()) {
                    return false;
                }
            }
            return true;
        }

        int size() {
            return at.size();
        }

        long at(int place) {
            return at.get(order[place]);
        }

        long end(int place) {
            return end.get(order[place]);
        }

        Mark mark(int place) {
            return Mark.values()[kind.get(order[place])];
        }
    }
}
