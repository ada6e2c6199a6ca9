// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    @Test
    void executionsGoOnWhileThereIsTimeForAnother() throws InterruptedException {
        assertThat(new Pace(3_600_000_000_000L).isOver()).isFalse();
        assertThat(new Pace(1).isOver()).isTrue();
        Pace pace = new Pace(3_600_000_000_000L);
        Thread.sleep(1);
        pace.lap();
        assertThat(pace.isOver()).isFalse();
    }

    @Test
    void whatTookMoreThanHalfOfTheTimeIsNotRepeated() throws InterruptedException {
        long begin = System.nanoTime();
        Pace pace = new Pace(40_000_000);
        while (System.nanoTime() - begin < 22_000_000) { // less than three quarters, more than half
            Thread.sleep(1);
        }
        assertThat(pace.isOver()).isTrue();
    }
}
