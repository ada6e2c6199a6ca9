// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How far the clocks of devices are apart, from all transfers between them: nothing is received before it is sent. A
 * transfer from a to b says that {@code shift(b) - shift(a)} is at least {@code sent - received}; the shifts that leave the
 * least time of all transfers as long as it can be are looked for, and of these the middle.
 */
final class TransferClocks {
    /** Arrows end that much before what they lead to, in microseconds. */
    private static final double JUST_BEFORE = 0.001;

    private static final int HALVINGS = 100;

    /** An end of a transfer: the collective, what it synchronises with, and who has it. */
    private record End(String group, String sync, long rank) {}

    private record Send(End to, long from, AiuEvent event) {}

    /**
     * Shifts of clocks.
     *
     * @param shifts microseconds to add to the times of each rank; 0 for rank 0
     * @param errorUs half of the widest range in which a shift may lie with every transfer taking time; NaN where transfers
     *     go one way only and no range is bounded
     * @param contradictionUs by how much transfers that contradict each other end before they begin; 0 when there are none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on once
    record Fit(double[] shifts, double errorUs, double contradictionUs) {}

    private final PrepareFlows transfers = new PrepareFlows(true);
    private final List<Send> sends = new ArrayList<>();
    private final Map<End, AiuEvent> receives = new HashMap<>();

    /** Takes an event of a collective; most say nothing. */
    void add(AiuEvent event) {
        AiuEvent helper = event.device == null || !event.device.isMapped() ? null : transfers.transfer(event);
        if (helper == null) {
            return;
        }
        String group = helper.category == null ? "" : helper.category;
        String sync = FlowHelper.sync(helper);
        long type = FlowHelper.type(helper);
        if (type == FlowHelper.DONE) {
            receives.putIfAbsent(new End(group, sync, event.pid), event);
        } else if (type == FlowHelper.SEND
                && !FlowHelper.peers(helper).isEmpty()
                && FlowHelper.peers(helper).getFirst() instanceof Long peer) {
            sends.add(new Send(new End(group, sync, peer), event.pid, event));
        }
    }

    /**
     * The shifts of so many ranks; null where transfers do not connect them all. Data have come no earlier than all of them
     * were sent; where that cannot be, no earlier than the first of them was.
     */
    @Nullable
    Fit fit(int ranks) {
        double[][] whole = least(ranks, TransferClocks::end);
        if (!isConnected(whole)) {
            return null;
        }
        return longest(whole, 0) != null ? fit(whole) : fit(least(ranks, TransferClocks::begin));
    }

    /** By how much the clock of each rank must be shifted more than that of each other one. */
    private double[][] least(int ranks, ToDoubleFunction<AiuEvent> sent) {
        double[][] least = new double[ranks][ranks];
        for (double[] row : least) {
            Arrays.fill(row, Double.NEGATIVE_INFINITY);
        }
        for (Send send : sends) {
            AiuEvent received = receives.get(send.to);
            if (received != null
                    && isRank(send.from, ranks)
                    && isRank(send.to.rank, ranks)
                    && send.from != send.to.rank) {
                double atLeast = sent.applyAsDouble(send.event) - end(received) + JUST_BEFORE;
                double[] row = least[(int) send.from];
                row[(int) send.to.rank] = Math.max(row[(int) send.to.rank], atLeast);
            }
        }
        return least;
    }

    private static @Nullable Fit fit(double[][] least) {
        double[][] plain = longest(least, 0);
        double slack = plain == null ? -contradiction(least) : slack(least);
        double[][] paths = longest(least, slack);
        return paths == null
                ? null
                : new Fit(middle(paths), plain == null ? Double.NaN : error(plain), Math.max(0, -slack));
    }

    private static boolean isRank(long rank, int ranks) {
        return rank >= 0 && rank < ranks;
    }

    /** Whether each rank is bound to rank 0 one way at least. */
    private static boolean isConnected(double[][] least) {
        boolean[] known = new boolean[least.length];
        List<Integer> queue = new ArrayList<>(List.of(0));
        known[0] = true;
        for (int i = 0; i < queue.size(); i++) {
            int from = queue.get(i);
            for (int to = 0; to < known.length; to++) {
                if (!known[to] && (isBound(least[from][to]) || isBound(least[to][from]))) {
                    known[to] = true;
                    queue.add(to);
                }
            }
        }
        return queue.size() == known.length;
    }

    private static boolean isBound(double atLeast) {
        return atLeast != Double.NEGATIVE_INFINITY;
    }

    /** The longest time that all transfers can be given, as all rounds through ranks allow it; 0 where there are none. */
    private static double slack(double[][] least) {
        double high = 1;
        while (longest(least, high) != null) {
            if (high > 1e12) {
                return 0; // no way back: transfers may take any time
            }
            high *= 2;
        }
        return halved(least, 0, high);
    }

    /** By how much transfers must end before they begin. */
    private static double contradiction(double[][] least) {
        double low = -1;
        while (longest(least, low) == null) {
            low *= 2;
        }
        return -halved(least, low, 0);
    }

    /** The largest time between one that can be given to all transfers and one that cannot. */
    private static double halved(double[][] least, double possible, double impossible) {
        double low = possible;
        double high = impossible;
        for (int i = 0; i < HALVINGS && Math.nextUp(low) < high; i++) {
            double middle = low + (high - low) / 2;
            if (longest(least, middle) == null) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return low;
    }

    /** The longest ways between ranks when each transfer takes that time at least; null where there is no end to them. */
    private static double @Nullable [][] longest(double[][] least, double slack) {
        int n = least.length;
        double[][] way = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                way[i][j] = i == j ? 0 : least[i][j] + slack;
            }
        }
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    way[i][j] = Math.max(way[i][j], way[i][k] + way[k][j]);
                }
                if (way[i][i] > 0) {
                    return null;
                }
            }
        }
        return way;
    }

    private static double[] middle(double[][] way) {
        double[] shifts = new double[way.length];
        for (int rank = 1; rank < shifts.length; rank++) {
            double low = way[0][rank];
            double high = -way[rank][0];
            shifts[rank] = !isBound(low) ? high : high == Double.POSITIVE_INFINITY ? low : low + (high - low) / 2;
        }
        return shifts;
    }

    private static double error(double[][] way) {
        double widest = 0;
        for (int rank = 1; rank < way.length; rank++) {
            widest = Math.max(widest, -way[rank][0] - way[0][rank]);
        }
        return Double.isInfinite(widest) ? Double.NaN : widest / 2;
    }

    private static double begin(AiuEvent event) {
        return counter(event, 0);
    }

    private static double end(AiuEvent event) {
        return event.name.step() == AiuName.NO_STEP ? counter(event, DeviceTimes.COUNT - 1) : counter(event, 1);
    }

    /** A reading on the device's clock, counted from the one at which the event begins. */
    private static double counter(AiuEvent event, int after) {
        DeviceTimes times = event.device;
        int step = event.name.step();
        return times == null ? 0 : times.device((step == AiuName.NO_STEP ? 0 : step) + after);
    }
}
