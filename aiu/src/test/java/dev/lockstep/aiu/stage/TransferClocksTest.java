// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import static dev.lockstep.aiu.stage.StageEvents.mapped;
import static dev.lockstep.aiu.stage.StageEvents.x;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.stage.TransferClocks.Fit;
import java.util.Objects;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransferClocksTest {
    private static final Offset<Double> EXACT = Offset.offset(1e-6);

    private final TransferClocks clocks = new TransferClocks();
    private int number;

    /** Sent from one time to another on the clock of one rank, received at a time on that of another. */
    private void transfer(int from, double began, double sent, int to, double received) {
        String sync = " [sync=AllReduce_s" + from + "_r" + to + "_" + number++ + "]";
        clocks.add(end("SenRdmaSend" + sync + " DmaO", from, "Type", "SingleCast", to, began, sent));
        clocks.add(end("SenRdmaRecv" + sync + " DmaI", to, "Type", "WDone Barrier", from, received - 1, received));
    }

    private static AiuEvent end(String name, int rank, String key, String type, int peer, double begin, double end) {
        AiuEvent event = x(name, rank, begin, end - begin, "CollGroup", "AllReduce_1");
        event.put(key, type);
        event.put("Peer", Integer.toString(peer));
        return name.endsWith("DmaO")
                ? mapped(event, begin, begin, begin, begin, end)
                : mapped(event, begin, end, end, end, end);
    }

    private Fit fit(int ranks) {
        return Objects.requireNonNull(clocks.fit(ranks));
    }

    @Test
    void thereAndBackTellTheClockAndItsError() {
        // Rank 1 is 1000 ahead: sent at 10 it is there by 14, sent back at 20 it is there by 26.
        transfer(0, 8, 10, 1, 1014);
        transfer(1, 1018, 1020, 0, 26);

        Fit fit = fit(2);

        // Between 1014 - 10 and 1020 - 26 ahead: in the middle, both take 5.
        assertThat(fit.shifts()[0]).isZero();
        assertThat(fit.shifts()[1]).isCloseTo(-999, EXACT);
        assertThat(fit.errorUs()).isCloseTo(5 - 0.001, EXACT);
        assertThat(fit.contradictionUs()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyTransferGoesForwardAndClocksAreRightWithinTheError(long seed) {
        Random random = new Random(seed);
        int ranks = 2 + random.nextInt(6);
        double[] ahead = new double[ranks];
        for (int rank = 1; rank < ranks; rank++) {
            ahead[rank] = 1000.0 * rank + random.nextInt(100);
        }
        double[][] times = new double[60][];
        for (int i = 0; i < times.length; i++) {
            int from = i % ranks;
            int to = (from + 1 + random.nextInt(ranks - 1)) % ranks;
            to = i < ranks ? (from + 1) % ranks : to;
            double began = 10 * i;
            double sent = began + 2 + random.nextDouble();
            double received = sent + 0.01 + 3 * random.nextDouble();
            times[i] = new double[] {from, began + ahead[from], to, received + ahead[to]};
            transfer(from, began + ahead[from], sent + ahead[from], to, received + ahead[to]);
        }

        Fit fit = fit(ranks);

        for (double[] time : times) {
            assertThat(time[1] + fit.shifts()[(int) time[0]]).isLessThan(time[3] + fit.shifts()[(int) time[2]]);
        }
        for (int rank = 0; rank < ranks; rank++) {
            assertThat(fit.shifts()[rank]).isCloseTo(-ahead[rank], Offset.offset(2 * fit.errorUs()));
        }
        assertThat(fit.contradictionUs()).isZero();
    }

    @Test
    void whereDataComeBeforeTheyAreWhollySentBeginsCount() {
        transfer(0, 10, 100, 1, 20);
        transfer(1, 30, 100, 0, 40);

        assertThat(fit(2).contradictionUs()).isZero();
        assertThat(fit(2).shifts()[1]).isCloseTo(0, EXACT);
    }

    @Test
    void transfersThatContradictEachOtherSayByHowMuch() {
        transfer(0, 100, 100, 1, 90);
        transfer(1, 100, 100, 0, 94);

        // Both together end 16 before they begin; at best each 8.
        assertThat(fit(2).contradictionUs()).isCloseTo(8 + 0.001, EXACT);
        assertThat(fit(2).shifts()[1]).isCloseTo(2, EXACT);
        assertThat(fit(2).errorUs()).isNaN();
    }

    @Test
    void oneWayOnlyTellsTheLeastShift() {
        transfer(0, 100, 100, 1, 30);
        transfer(0, 200, 200, 1, 140);

        assertThat(fit(2).shifts()[1]).isCloseTo(70.001, EXACT);
        assertThat(fit(2).errorUs()).isNaN();
        assertThat(fit(2).contradictionUs()).isZero();
    }

    @Test
    void aRankThatNothingConnectsLeavesAllAsTheyAre() {
        transfer(0, 1, 2, 1, 3);

        assertThat(clocks.fit(3)).isNull();
        assertThat(new TransferClocks().fit(2)).isNull();
    }
}
