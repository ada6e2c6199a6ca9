// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.report.Trust;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class FleetAnalysisTest {
    private static final int RANKS = 24;
    private static final int STEPS = 6;
    private static final int SLOW = 5;
    private static final double MS = 1e6;

    /** Steps of 20 ms, in which a rank takes 2 ms longer from one of them on, and comes late to its first collective. */
    private record Made(int since, boolean onDevice, double lateMs) implements FleetSource {
        @Override
        public FleetSteps steps() {
            Random random = new Random(1);
            double[][] period = new double[RANKS][STEPS];
            double[][] own = new double[RANKS][STEPS];
            double[][] computation = new double[RANKS][STEPS];
            for (int rank = 0; rank < RANKS; rank++) {
                for (int step = 0; step < STEPS; step++) {
                    double longer = rank == SLOW && step >= since ? 2 * MS : 0;
                    period[rank][step] = 20 * MS;
                    computation[rank][step] = 9 * MS + (onDevice ? longer : 0);
                    own[rank][step] = 10 * MS + longer + 0.01 * MS * random.nextGaussian();
                }
            }
            return new FleetSteps(
                    IntStream.range(0, RANKS).toArray(),
                    new int[RANKS],
                    LongStream.rangeClosed(1, STEPS).toArray(),
                    period,
                    own,
                    computation,
                    new double[RANKS][STEPS]);
        }

        @Override
        public List<FleetRun.Member> members() {
            return List.of();
        }

        @Override
        public Map<Integer, String> hosts() {
            return Map.of();
        }

        @Override
        public Trust trust() {
            return Trust.SOUND;
        }

        @Override
        public RankGains gains(List<Integer> slow) {
            return RankGains.NONE;
        }

        @Override
        public List<FleetRun.Kernel> kernels(List<Integer> ranks) {
            assertThat(ranks).containsExactly(SLOW);
            return List.of();
        }

        @Override
        public List<FleetRun.Group> groups() {
            return List.of();
        }

        @Override
        public List<FleetRun.Start> starts(double least) {
            return List.of(new FleetRun.Start(SLOW, lateMs * MS));
        }

        boolean startsLate() throws IOException {
            FleetAnalysis analysis = FleetAnalysis.of(this, new FleetPlaces(null, 0), List.of());
            return !analysis.run().starts().isEmpty();
        }
    }

    @Test
    void aPauseOfALateHostShowsWholeAtTheFirstCollectiveAndIsNoLateStart() throws IOException {
        assertThat(new Made(0, false, 9).startsLate()).isFalse();
        assertThat(new Made(1, false, 9).startsLate()).isFalse();
        assertThat(new Made(2, false, 9).startsLate()).isTrue();
        assertThat(new Made(0, false, 80).startsLate()).isTrue();
        assertThat(new Made(1, false, 80).startsLate()).isTrue();
    }

    @Test
    void aSlowDeviceComesLateByAFewTimesWhatItLosesInAStep() throws IOException {
        assertThat(new Made(0, true, 5).startsLate()).isFalse();
        assertThat(new Made(0, true, 9).startsLate()).isTrue();
        assertThat(new Made(1, true, 5).startsLate()).isTrue();
    }
}
