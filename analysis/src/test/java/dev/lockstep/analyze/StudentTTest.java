// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StudentTTest {
    @ParameterizedTest
    @CsvSource({
        // degrees of freedom, factors of tables
        "1, 12.7062047, 63.6567412",
        "2, 4.30265273, 9.92484320",
        "5, 2.57058184, 4.03214298",
        "7.3, 2.34506674, NaN",
        "30, 2.04227246, 2.74999565",
        "1000, 1.96233908, 2.58075467",
        "1e7, 1.95996422, 2.57582981"
    })
    void factorsAreThoseOfTables(double degrees, double of95, double of99) {
        assertThat(StudentT.twoSided(0.95, degrees)).isCloseTo(of95, within(2e-7));
        if (!Double.isNaN(of99)) {
            assertThat(StudentT.twoSided(0.99, degrees)).isCloseTo(of99, within(2e-6));
        }
    }
}
