// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FleetInputsTest {
    /** What follows -- on the command line is a path, also where the job on Spark would take it for an option. */
    @ParameterizedTest
    @CsvSource({
        "-o, ./-o",
        "--facts, ./--facts",
        "--latest, ./--latest",
        "run, run",
        "/data/run, /data/run",
        "s3a://bucket/run, s3a://bucket/run",
    })
    void anInputIsNoOptionOfTheJob(String input, String word) {
        assertThat(FleetInputs.asPath(input)).isEqualTo(word);
    }
}
