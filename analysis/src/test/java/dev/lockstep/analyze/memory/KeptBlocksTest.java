// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeptBlocksTest {
    private static final int SEEDS = 40;

    /** Steps of a made recording, each 1000 us long; the allocator's totals are left to the replay. */
    private static final class Made {
        private final List<String> events = new ArrayList<>();
        private final int steps;
        private long address = 1;

        Made(int steps) {
            this.steps = steps;
            for (int step = 0; step < steps; step++) {
                events.add(slice("user_annotation", "ProfilerStep#" + step, 1000 * step, 999));
                for (int place = 0; place < 4; place++) {
                    events.add(slice("cpu_op", "aten::op" + place, 1000 * step + 10 + 200 * place, 100));
                }
            }
        }

        private static String slice(String category, String name, int ts, int dur) {
            return "{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name
                    + "\", \"pid\": 1, \"tid\": 1, \"ts\": " + ts + ", \"dur\": " + dur + "}";
        }

        private void event(double at, long bytes, long block) {
            if (at < 1000 * steps) {
                events.add("{\"ph\": \"i\", \"s\": \"t\", \"cat\": \"cpu_instant_event\", \"name\": \"[memory]\","
                        + " \"pid\": 1, \"tid\": 1, \"ts\": " + at + ", \"args\": {\"Bytes\": " + bytes
                        + ", \"Addr\": " + block + ", \"Device Id\": 0, \"Device Type\": 1}}");
            }
        }

        /** A block that an operator asks for in a step and that is freed so many steps later at another place of it. */
        Made block(int step, int operator, long bytes, double stepsLater) {
            long block = address++;
            double from = 1000 * step + 50 + 200 * operator;
            if (step >= 0) {
                event(from, bytes, block);
            }
            event(from + 1000 * stepsLater + 3, -bytes, block);
            return this;
        }

        List<String> kept() {
            DeviceMemory device = new MemoryUse(null, 1)
                    .run(new DerivedCache(TestTraces.of(String.join(",\n", events))))
                    .devices()
                    .getFirst();
            return device.kept().stream()
                    .map(kept -> kept.owner() + " " + kept.blocks() + " of " + kept.bytes() + " in " + kept.steps())
                    .toList();
        }
    }

    private static final double NEVER = 1000;

    @ParameterizedTest
    @CsvSource({"3, 3", "4, 4", "12, 12"})
    void eachStepLeavesABlock(int steps, int leaving) {
        Made made = new Made(steps);
        for (int step = 0; step < steps; step++) {
            made.block(step, 0, 512, 0.5).block(step, 1, 4096, 1).block(step, 2, 1024, NEVER);
        }

        assertThat(made.kept()).containsExactly("aten::op2 1 of 1024 in " + leaving);
    }

    @Test
    void aStepThatEndsTheRecordingNeedNotHaveCome() {
        Made made = new Made(4);
        for (int step = 0; step < 3; step++) {
            made.block(step, 2, 1024, NEVER).block(step, 2, 1024, NEVER);
        }
        made.block(0, 2, 1024, NEVER);

        assertThat(made.kept()).containsExactly("aten::op2 2 of 1024 in 3");
    }

    @Test
    void aStepWithoutItShowsThatStepsNeedNotLeaveIt() {
        Made made = new Made(5);
        made.block(0, 2, 1024, NEVER).block(1, 2, 1024, NEVER).block(3, 2, 1024, NEVER);

        assertThat(made.kept()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"3, 1", "3, 2", "3, 3", "3, 5", "5, 2", "5, 3", "5, 4", "5, 9", "12, 11"})
    void blocksThatLiveForSomeStepsAreNotKept(int steps, double live) {
        Made made = new Made(steps);
        for (int step = -12; step < steps; step++) {
            made.block(step, 1, 4096, live);
        }

        assertThat(made.kept()).isEmpty();
    }

    @Test
    void ofBlocksThatLiveForSomeStepsThoseAreKeptThatLiveLonger() {
        Made made = new Made(6);
        for (int step = -3; step < 6; step++) {
            made.block(step, 1, 4096, 3).block(step, 1, 4096, NEVER);
        }

        assertThat(made.kept()).isEmpty();

        Made longer = new Made(9);
        for (int step = 0; step < 9; step++) {
            longer.block(step, 1, 4096, 3).block(step, 1, 4096, NEVER);
        }

        assertThat(longer.kept()).containsExactly("aten::op1 1 of 4096 in 9");
    }

    @Test
    void twoStepsShowNothing() {
        Made two = new Made(2);
        two.block(0, 2, 1024, NEVER).block(1, 2, 1024, NEVER);

        assertThat(two.kept()).isEmpty();
    }

    /** Each of 20 blocks of a step is of one of a few owners and sizes, and lives for a while that differs. */
    @ParameterizedTest
    @CsvSource({"3, 1", "3, 3", "6, 1"})
    void whatLivesForAWhileIsSeldomTakenForALeak(int steps, double mean) {
        int claims = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Made made = new Made(steps);
            for (int step = -12; step < steps; step++) {
                for (int block = 0; block < 20; block++) {
                    made.block(step, block % 4, 512 << random.nextInt(3), -mean * Math.log(random.nextDouble(1e-9, 1)));
                }
            }
            claims += made.kept().isEmpty() ? 0 : 1;
        }

        assertThat(claims).isLessThanOrEqualTo(2);
    }
}
