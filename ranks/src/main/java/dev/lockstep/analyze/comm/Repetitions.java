// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.derive.RankCollectives;
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
        long[][] arrivals = arrivals(period, units, ranks);
        int steps = Math.max(0, units - 1);
        double[][][] cells = new double[4][ranks][steps];
        int[] numbers = new int[ranks];
        int[] kindOf = new int[ranks];
        for (int r = 0; r < ranks; r++) {
            RankCollectives rank = collectives.rank(r);
            numbers[r] = rank.rank();
            kindOf[r] = kinds.getOrDefault(rank.rank(), 0);
            IntervalSet exposed = rank.work().exposed();
            for (int s = 0; s < steps; s++) {
                long from = arrivals[r][s];
                long to = arrivals[r][s + 1];
                boolean known = from != Long.MAX_VALUE && to != Long.MAX_VALUE && to > from;
                cells[0][r][s] = known ? to - from : Double.NaN;
                cells[1][r][s] = known ? to - from - exposed.within(from, to) : Double.NaN;
                cells[2][r][s] = Double.NaN;
                cells[3][r][s] = Double.NaN;
            }
        }
        long[] places = new long[steps];
        Arrays.setAll(places, s -> s);
        return new FleetSteps(numbers, kindOf, places, cells[0], cells[1], cells[2], cells[3]);
    }

    /** By rank and repetition: when the rank comes to its first collective of it, on its own clock. */
    private long[][] arrivals(int period, int units, int ranks) {
        long[][] arrivals = new long[ranks][units];
        for (long[] own : arrivals) {
            Arrays.fill(own, Long.MAX_VALUE);
        }
        for (int k = 0; k < units * period; k++) {
            Collective c = waiting.get(k);
            for (int m = 0; m < c.present(); m++) {
                int r = collectives.match().rank(c.instance(), m);
                long ts = collectives.rank(r).ts(collectives.match().row(c.instance(), m));
                arrivals[r][k / period] = Math.min(arrivals[r][k / period], ts);
            }
        }
        return arrivals;
    }

    /** After how many collectives the same ones come again, at least once; 0 where they do not. */
    private int period() {
        int n = waiting.size();
        String[] what = waiting.stream()
                .map(c -> c.groupIndex() + " " + c.call().kind() + " " + c.call().inElements() + " "
                        + c.call().outElements())
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
