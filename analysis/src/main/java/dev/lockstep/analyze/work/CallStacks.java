// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.StackRule;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.Grafts;
import dev.lockstep.model.Grafts.Role;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** From where device activities were launched: operators and frames of the Python stack, from the outside in. */
final class CallStacks {
    private final Trace trace;
    private final CallTree tree;
    private final LaunchLinks links;
    private final StackRule rule;
    private final @Nullable Grafts grafts;

    CallStacks(Trace trace, CallTree tree, LaunchLinks links, StackRule rule) {
        this.trace = trace;
        this.tree = tree;
        this.links = links;
        this.rule = rule;
        this.grafts = trace.view(Grafts.KEY);
    }

    /** The frames around the launch, and the kernel. */
    private List<String> chain(int kernel) {
        List<String> frames = frames(kernel);
        frames.add(trace.name(kernel));
        return frames;
    }

    /** The frames around the launch of a kernel. */
    List<String> frames(int kernel) {
        List<String> frames = new ArrayList<>();
        List<String> recorded = new ArrayList<>();
        for (int node = links.launchOf(kernel); node >= 0; node = tree.parent(node)) {
            if (isShown(node)) {
                String frame = rule.frameName().apply(trace.name(node));
                frames.add(frame);
                if (!isStep(node)) {
                    recorded.add(frame);
                }
            }
        }
        Collections.reverse(frames);
        if (rule.repeatedBelowSteps() && recorded.size() < frames.size()) {
            Collections.reverse(recorded);
            frames.addAll(recorded);
        }
        return frames;
    }

    private boolean isShown(int node) {
        String name = trace.name(node);
        return trace.slices().kind(node) == SliceKind.CPU_OP
                || name.contains("nn.Module")
                || name.contains("::")
                || name.contains("/");
    }

    /** Whether this was added to show a part of an operator's work. */
    private boolean isStep(int node) {
        int row = grafts == null ? -1 : grafts.of(node);
        return grafts != null && row >= 0 && grafts.role(row) == Role.ADDED_VIEW;
    }

    /**
     * The stack of several kernels: what their chains have in common, then what is left of each.
     *
     * @param kernels in order of launch
     */
    Stack of(int[] kernels) {
        Set<List<String>> chains = new LinkedHashSet<>();
        for (int kernel : kernels) {
            chains.add(chain(kernel));
        }
        return Stack.of(List.copyOf(chains));
    }

    /** What chains have in common from the outside, and the rest of each, without repetitions. */
    record Stack(List<String> common, List<List<String>> tails) {
        static Stack of(List<List<String>> chains) {
            if (chains.size() < 2) {
                return new Stack(chains.isEmpty() ? List.of() : chains.getFirst(), List.of());
            }
            int common = 0;
            List<String> first = chains.getFirst();
            while (isShared(chains, first, common)) {
                common++;
            }
            Set<List<String>> tails = new LinkedHashSet<>();
            for (List<String> chain : chains) {
                tails.add(List.copyOf(chain.subList(common, chain.size())));
            }
            return new Stack(List.copyOf(first.subList(0, common)), List.copyOf(tails));
        }

        private static boolean isShared(List<List<String>> chains, List<String> first, int place) {
            if (place >= first.size()) {
                return false;
            }
            for (List<String> chain : chains) {
                if (place >= chain.size() || !chain.get(place).equals(first.get(place))) {
                    return false;
                }
            }
            return true;
        }

        /** All frames, one after the other. */
        List<String> flat() {
            List<String> frames = new ArrayList<>(common);
            tails.forEach(frames::addAll);
            return frames;
        }

        /** As JSON: the common frames, then an array for each tail. */
        String json() {
            StringBuilder out = new StringBuilder(JsonCells.texts(common));
            out.setLength(out.length() - 1);
            for (List<String> tail : tails) {
                out.append(out.length() > 1 ? ", " : "").append(JsonCells.texts(tail));
            }
            return out.append(']').toString();
        }
    }
}
