// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import org.junit.jupiter.api.Test;

class FleetOptionsTest {
    @Test
    void inputsAndOptionsComeInAnyOrder() {
        FleetOptions options = FleetOptions.of(
                "s3a://runs/monday", "--gpus-per-node", "8", "-o", "s3a://reports/monday", "rank7.json");
        assertThat(options.inputs()).containsExactly("s3a://runs/monday", "rank7.json");
        assertThat(options.output()).isEqualTo("s3a://reports/monday");
        assertThat(options.places().gpusPerNode()).isEqualTo(8);
        assertThat(options.selection().latest()).isFalse();
    }

    @Test
    void whatIsWrongIsSaid() {
        assertThatThrownBy(() -> FleetOptions.of("run", "-o"))
                .isInstanceOf(UserException.class)
                .hasMessage("-o wants a value");
        assertThatThrownBy(() -> FleetOptions.of("run", "-o", "out", "--rack", "2"))
                .hasMessage("there is no option --rack");
        assertThatThrownBy(() -> FleetOptions.of("-o", "out")).hasMessage("no traces are named");
        assertThatThrownBy(() -> FleetOptions.of("run")).hasMessage("nothing says where the report goes: -o DIR");
        assertThatThrownBy(() -> FleetOptions.of("run", "-o", "out", "--step", "two"))
                .hasMessage("--step wants a number: two");
    }

    @Test
    void urisAreNoPathsOfThisMachine() {
        assertThat(RemoteFiles.isRemote("s3a://runs/monday")).isTrue();
        assertThat(RemoteFiles.isRemote("hdfs://name:8020/runs")).isTrue();
        assertThat(RemoteFiles.isRemote("file:/runs/monday")).isTrue();
        assertThat(RemoteFiles.isRemote("/runs/monday")).isFalse();
        assertThat(RemoteFiles.isRemote("c:/runs")).isFalse();
    }
}
