// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.table.DoubleList;
import dev.lockstep.table.LongList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
    private static LongList longs(String values) {
        LongList list = new LongList(4);
        for (String value : values.split(" ", -1)) {
            list.add(Long.parseLong(value));
        }
        return list;
    }

    private static DoubleList doubles(String values) {
        DoubleList list = new DoubleList(4);
        for (String value : values.split(" ", -1)) {
            list.add(Double.parseDouble(value));
        }
        return list;
    }

    // values, sum, mean, median, squared deviations from the mean, least, largest
    @ParameterizedTest
    @CsvSource({
        "7, 7, 7, 7, 0, 7, 7",
        "9 1, 10, 5, 5, 32, 1, 9",
        "4 1 10, 15, 5, 4, 42, 1, 10",
        "8 2 2 4, 16, 4, 3, 24, 2, 8",
        "-3 3, 0, 0, 0, 18, -3, 3",
    })
    void figuresAreThoseOfTheDefinitions(
            String values, long sum, double mean, double median, double squares, long least, long largest) {
        Distribution d = Distribution.of(longs(values));
        RealDistribution r = RealDistribution.of(doubles(values));
        int n = values.split(" ", -1).length;
        double std = n == 1 ? Double.NaN : Math.sqrt(squares / (n - 1));
        assertThat(d.count()).isEqualTo(n).isEqualTo(r.count());
        assertThat(d.sum()).isEqualTo(sum);
        assertThat(d.mean()).isEqualTo(mean).isEqualTo(r.mean());
        assertThat(d.median()).isEqualTo(median).isEqualTo(r.median());
        assertThat(d.std()).isEqualTo(std, within(1e-12));
        assertThat(r.std()).isEqualTo(std, within(1e-12));
        assertThat(d.populationStd()).isEqualTo(Math.sqrt(squares / n), within(1e-12));
        assertThat(d.min()).isEqualTo(least);
        assertThat(d.max()).isEqualTo(largest);
        assertThat(r.min()).isEqualTo(least);
        assertThat(r.max()).isEqualTo(largest);
    }

    @Test
    void missingValuesAreLeftOut() {
        assertThat(RealDistribution.of(doubles("NaN 4 NaN 2"))).isEqualTo(RealDistribution.of(doubles("2 4")));
        assertThat(RealDistribution.of(doubles("NaN"))).isEqualTo(RealDistribution.NONE);
    }

    @Test
    void nothingHasNoMean() {
        Distribution none = Distribution.of(new LongList(1));
        assertThat(none.count()).isZero();
        assertThat(none.mean()).isNaN();
        assertThat(none.median()).isNaN();
    }
}
