// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongIntMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of the graph that the autograd engine was at when calls were made, none of them inside of another one. A node
 * carries the sequence number of the forward operator that it is the gradient of.
 */
final class EngineNodes {
    private static final String ENGINE = "autograd::engine::evaluate_function";

    private final Slices slices;
    private final @Nullable OpDetails details;
    private final Map<Integer, IntList> nodes = new HashMap<>();
    private final LongIntMap first = new LongIntMap(256);
    private final LongIntMap forward = new LongIntMap(256);

    EngineNodes(Trace trace) {
        slices = trace.slices();
        details = trace.view(OpDetails.KEY);
        byte[] isNode = new byte[trace.strings().size()];
        Map<Integer, Long> reached = new HashMap<>();
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) != SliceKind.CPU_OP) {
                continue;
            }
            int name = slices.name(i);
            if (isNode[name] == 0) {
                isNode[name] = (byte) (trace.name(i).startsWith(ENGINE) ? 1 : 2);
            }
            if (isNode[name] == 1 && slices.ts(i) >= reached.getOrDefault(slices.track(i), Long.MIN_VALUE)) {
                reached.put(slices.track(i), slices.end(i));
                nodes.computeIfAbsent(slices.track(i), track -> new IntList(64)).add(i);
                long number = number(i);
                int known = number < 0 ? i : first.get(number);
                if (known < 0 || slices.ts(i) < slices.ts(known)) {
                    first.put(number, i);
                }
            }
        }
        for (int row = 0; details != null && row < details.size(); row++) {
            long number = details.sequence(row);
            int node = number < 0 ? -1 : first.get(number);
            int slice = details.slice(row);
            if (node >= 0 && slices.track(slice) != slices.track(node) && slices.ts(slice) < slices.ts(node)) {
                int known = forward.get(number);
                if (known < 0 || slices.ts(slice) > slices.ts(known)) {
                    forward.put(number, slice);
                }
            }
        }
    }

    /** {@return by place: the node during which a call was made, -1 for none} Calls are in order of time, -1 for none. */
    int[] during(int[] calls) {
        Map<Integer, Integer> reached = new HashMap<>();
        int[] found = new int[calls.length];
        for (int i = 0; i < calls.length; i++) {
            found[i] = -1;
            int track = calls[i] < 0 ? -1 : slices.track(calls[i]);
            IntList of = nodes.get(track);
            if (of != null) {
                int next = reached.getOrDefault(track, 0);
                while (next < of.size() && slices.ts(of.get(next)) <= slices.ts(calls[i])) {
                    next++;
                }
                reached.put(track, next);
                if (next > 0 && slices.ts(calls[i]) < slices.end(of.get(next - 1))) {
                    found[i] = of.get(next - 1);
                }
            }
        }
        return found;
    }

    /** The sequence number of a node, -1 where it has none. */
    long number(int node) {
        int row = details == null ? -1 : details.of(node);
        return details == null || row < 0 ? -1 : details.sequence(row);
    }

    /** Whether the engine was at the same node of the graph before. */
    boolean isAgain(int node) {
        return number(node) >= 0 && first.get(number(node)) != node;
    }

    /** When the forward operator began that a node is the gradient of, {@link LongColumn#ABSENT} when not known. */
    long forwardOf(int node) {
        int of = number(node) < 0 ? -1 : forward.get(number(node));
        return of < 0 ? LongColumn.ABSENT : slices.ts(of);
    }
}
