// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.input;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Cycles that a compiler expects kernels to take, and what kind of work each is. */
public final class IdealTable {
    /** Rows whose names tell tables apart. */
    private static final int NAMED = 500;

    private final String phase;
    private final Map<String, Long> cycles = new LinkedHashMap<>();
    private final Map<String, String> categories = new LinkedHashMap<>();
    private final List<String> sequence = new ArrayList<>();
    private int rows;
    private long total;

    /** @param phase TTFT, ITL, or UNKN */
    IdealTable(String phase) {
        this.phase = phase;
        categories.put("other", "other");
    }

    /** What a row says that contradicts an earlier one; empty when nothing. */
    String add(String kernel, String category, long ideal) {
        if (rows++ < NAMED) {
            sequence.add(kernel);
        }
        total += ideal;
        String problem = "";
        Long known = cycles.get(kernel);
        if (known == null && ideal != 0) {
            cycles.put(kernel, ideal);
        } else if (known != null && known != ideal) {
            problem = "UTL: Kernel already has an entry with different cycle count: " + kernel + " " + ideal + " "
                    + known;
        }
        String kind = categories.putIfAbsent(kernel, category);
        if (kind != null && !kind.equals(category)) {
            problem = "UTL: Kernel->Category map already has an entry with different category: " + kernel + " "
                    + category + " " + kind;
        }
        return problem;
    }

    public String phase() {
        return phase;
    }

    /** Ideal cycles, 0 for a kernel that is not in the table. */
    public long cycles(String kernel) {
        return cycles.getOrDefault(kernel, 0L);
    }

    /** The kernel's category, {@code other} when it is not in the table. */
    public String category(String kernel) {
        return categories.getOrDefault(kernel, "other");
    }

    public boolean has(String kernel) {
        return categories.containsKey(kernel);
    }

    /** Categories by kernel in the order of the table, {@code other} first. */
    public Iterable<String> categories() {
        return categories.values();
    }

    /** Kernels of the first rows, in their order. */
    public List<String> sequence() {
        return sequence;
    }

    public int rows() {
        return rows;
    }

    public long totalCycles() {
        return total;
    }

    /** Whether nobody could tell the tables apart. */
    boolean isLike(IdealTable other) {
        return total == other.total && rows == other.rows && sequence.equals(other.sequence);
    }
}
