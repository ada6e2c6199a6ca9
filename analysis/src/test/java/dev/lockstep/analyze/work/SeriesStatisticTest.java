// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.Distribution;
import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.table.LongList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeriesStatisticTest {
    @ParameterizedTest
    @CsvSource({
        "MEAN, 2, _mean, mean",
        "MEDIAN, 3, _median, median",
        "STD, 4, _std, standard deviation (n - 1)",
        "MIN, 5, _min, least",
        "MAX, 6, _max, largest",
    })
    void eachIsTheFigureOfItsName(SeriesStatistic statistic, double value, String suffix, String words) {
        assertThat(statistic.of(new RealDistribution(1, 99, 2, 3, 4, 5, 6))).isEqualTo(value);
        assertThat(statistic.of(new Distribution(1, 99, 2, 3, 4, 99, 5, 6))).isEqualTo(value);
        assertThat(statistic.of(Distribution.of(new LongList(1)))).isNaN();
        assertThat(statistic.suffix()).isEqualTo(suffix);
        assertThat(statistic.words()).isEqualTo(words);
    }
}
