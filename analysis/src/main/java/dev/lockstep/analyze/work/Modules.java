// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.ModuleFrames;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The modules of the network around operators, as the Python stack shows them. */
final class Modules {
    private static final Pattern INSTANCE = Pattern.compile("_\\d+$");

    private final Trace trace;
    private final Slices slices;
    private final CallTree tree;
    private final int[] innermost;

    /** @param tree with Python frames */
    Modules(Trace trace, CallTree tree) {
        this.trace = trace;
        this.slices = trace.slices();
        this.tree = tree;
        ModuleFrames frames = new ModuleFrames(trace);
        innermost = new int[slices.size()];
        for (int i = 0; i < tree.size(); i++) {
            int node = tree.node(i);
            int parent = tree.parent(node);
            innermost[node] = frames.isModule(node) ? node : parent < 0 ? -1 : innermost[parent];
        }
    }

    /** Pool id of the innermost module's name with the number of its instance, or -1. */
    int innermost(int slice) {
        int module = tree.isMember(slice) ? innermost[slice] : -1;
        return module < 0 ? -1 : slices.name(module);
    }

    /** The innermost module's name without the number of its instance, or null. */
    @Nullable
    String name(int slice) {
        int module = innermost(slice);
        return module < 0 ? null : INSTANCE.matcher(trace.strings().get(module)).replaceFirst("");
    }

    /** The operator's name, followed by the modules around it from the inside out. */
    List<String> stack(int slice) {
        List<String> names = new ArrayList<>();
        names.add(trace.name(slice));
        int module = tree.isMember(slice) ? innermost[slice] : -1;
        while (module >= 0) {
            names.add(trace.name(module));
            int parent = tree.parent(module);
            module = parent < 0 ? -1 : innermost[parent];
        }
        return names;
    }
}
