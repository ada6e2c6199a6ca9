// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.model.IntervalSet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Where the collectives of a run come again and again: steps of a run that marks none. */
final class Repetitions {
    /** Of collectives, so many are the same as those of the repetition before. */
    private static final double ALIKE = 0.95;

    private final Collectives collectives;
    /** Collectives that members wait for, in order of time. */
    private final List<Collective> waiting;

    Repetitions(Collectives collectives) {
        this.collectives = collectives;
        waiting = collectives.all().stream()
                .filter(Collective::waits)
                .sorted(Comparator.comparingLong(Collective::lastStart).thenComparingInt(Collective::instance))
                .toList();
    }

    FleetSteps steps(Map<Integer, Integer> kinds) {
        int period = Math.max(1, period());
        int units = waiting.size() / period;
        int ranks = collectives.match().ranks().size();
        double[][][] cells = new double[4][ranks][units];
        for (double[][] of : cells) {
            for (double[] row : of) {
                Arrays.fill(row, Double.NaN);
            }
        }
        int[] numbers = new int[ranks];
        int[] kindOf = new int[ranks];
        for (int r = 0; r < ranks; r++) {
            numbers[r] = collectives.rank(r).rank();
            kindOf[r] = kinds.getOrDefault(numbers[r], 0);
        }
        long origin = waiting.stream().mapToLong(Collective::firstStart).min().orElse(0);
        long[] released = new long[ranks];
        long[] arrival = new long[ranks];
        long[] release = new long[ranks];
        Arrays.fill(released, origin);
        for (int u = 0; u < units; u++) {
            Arrays.fill(arrival, Long.MIN_VALUE);
            for (int k = u * period; k < (u + 1) * period; k++) {
                Collective c = waiting.get(k);
                for (int m = 0; m < c.present(); m++) {
                    int r = collectives.match().rank(c.instance(), m);
                    arrival[r] = collectives.start(c.instance(), m);
                    release[r] = c.lastStart();
                }
            }
            for (int r = 0; r < ranks; r++) {
                if (arrival[r] != Long.MIN_VALUE && arrival[r] >= released[r]) {
                    IntervalSet exposed = collectives.rank(r).work().exposed();
                    cells[0][r][u] = release[r] - released[r];
                    long from = collectives.clock().recorded(r, released[r]);
                    long to = collectives.clock().recorded(r, arrival[r]);
                    cells[1][r][u] = arrival[r] - released[r] - exposed.within(from, to);
                    released[r] = release[r];
                }
            }
        }
        long[] places = new long[units];
        Arrays.setAll(places, u -> u);
        return new FleetSteps(numbers, kindOf, places, cells[0], cells[1], cells[2], cells[3]);
    }

    /** After how many collectives the same ones come again, at least once; 0 where they do not. */
    private int period() {
        int n = waiting.size();
        String[] what = waiting.stream()
                .map(c -> c.groupIndex() + " " + c.call().kind() + " "
                        + c.call().inElements() + " " + c.call().outElements())
                .toArray(String[]::new);
        for (int period = 1; period <= n / 2; period++) {
            int same = 0;
            for (int k = period; k < n; k++) {
                same += what[k].equals(what[k - period]) ? 1 : 0;
            }
            if (same >= ALIKE * (n - period)) {
                return period;
            }
        }
        return 0;
    }
}
