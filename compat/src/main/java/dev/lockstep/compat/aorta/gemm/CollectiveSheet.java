// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.gemm;

import java.util.ArrayList;
import java.util.List;

/**
 * The collectives that AORTA takes from the sheet {@code nccl_long} of a report, by place of the columns. Rows without a
 * rank, or whose start or duration is missing or zero, are passed over.
 */
public final class CollectiveSheet {
    /** The sheet's name. */
    public static final String NAME = "nccl_long";

    private static final int RANK = 2;
    private static final int COLLECTIVE = 5;
    private static final int START = 15;
    private static final int DURATION = 16;

    /**
     * A collective on a rank, in ms.
     *
     * @param end start plus duration, rounded as doubles are
     */
    record Collective(long rank, String name, double start, double end) {}

    private final List<Collective> collectives = new ArrayList<>();
    private boolean headSeen;

    /** Takes the next row of the sheet; the first is the head. */
    public void row(List<String> cells) {
        if (!headSeen) {
            headSeen = true;
            return;
        }
        double rank = number(cells, RANK);
        double start = number(cells, START);
        double duration = number(cells, DURATION);
        if (!Double.isNaN(rank) && start != 0 && duration != 0 && !Double.isNaN(start + duration)) {
            double from = start / 1000;
            collectives.add(new Collective((long) rank, cells.get(COLLECTIVE), from, from + duration / 1000));
        }
    }

    /** In the order of the sheet. */
    List<Collective> collectives() {
        return collectives;
    }

    private static double number(List<String> cells, int place) {
        String cell = place < cells.size() ? cells.get(place) : "";
        try {
            return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
