// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import dev.lockstep.table.IntList;
import java.io.IOException;
import java.io.Writer;

/** The merged tree as lines of text. Children stand in three groups: of both traces, of trace 1, of trace 2. */
final class MergedTreeText {
    private static final int INDENT = 4;

    private final MergedTree tree;

    MergedTreeText(MergedTree tree) {
        this.tree = tree;
    }

    void write(Writer out) throws IOException {
        for (int i = 0; i < tree.rootCount(); i++) {
            write(tree.root(i), i == tree.rootCount() - 1, out);
        }
    }

    private void write(int root, boolean lastRoot, Writer out) throws IOException {
        StringBuilder prefix = new StringBuilder();
        IntList nodes = new IntList(64);
        IntList depths = new IntList(64);
        IntList lasts = new IntList(64);
        nodes.add(root);
        depths.add(0);
        lasts.add(lastRoot ? 1 : 0);
        while (nodes.size() > 0) {
            int node = nodes.removeLast();
            int depth = depths.removeLast();
            boolean last = lasts.removeLast() == 1;
            prefix.setLength(depth * INDENT);
            out.append(prefix).append(last ? "└── " : "├── ");
            line(node, out);
            out.append('\n');
            prefix.append(last ? "    " : "│   ");
            int before = nodes.size();
            for (int group = 2; group >= 0; group--) {
                for (int k = tree.childCount(node) - 1; k >= 0; k--) {
                    int child = tree.child(node, k);
                    if (group(child) == group) {
                        lasts.add(nodes.size() == before ? 1 : 0);
                        nodes.add(child);
                        depths.add(depth + 1);
                    }
                }
            }
        }
    }

    private int group(int node) {
        return tree.isCombined(node) ? 0 : tree.first(node) >= 0 ? 1 : 2;
    }

    private void line(int node, Writer out) throws IOException {
        int first = tree.first(node);
        int second = tree.second(node);
        if (second < 0) {
            out.append(">> trace1: ").append(tree.one().trace().name(first));
        } else if (first < 0) {
            out.append("<< trace2: ").append(tree.two().trace().name(second));
        } else {
            String a = tree.one().trace().name(first);
            String b = tree.two().trace().name(second);
            if (a.equals(b)) {
                out.append(a);
            } else {
                out.append("combined: ").append(a).append(" | ").append(b);
            }
        }
    }
}
