// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VarianceFileTest {
    @TempDir
    Path folder;

    private VarianceFile read(String text) throws IOException {
        return VarianceFile.read(Files.writeString(folder.resolve("list.csv"), text));
    }

    @Test
    void columnsAreFoundByTheirHeads() throws IOException {
        VarianceFile file = read("time_diff_us,rank,kernel_name,channel,threads\r\n2.5,3,\"a,b\",28,256\r\n");

        assertThat(file.rows()).containsExactly(new GemmRange(256, 28, 3, "a,b", 2.5));
    }

    @Test
    void olderHeadsAreKnown() throws IOException {
        VarianceFile file = read("threads,channels,rank,kernel_name,time_diff_ms\n512,42,0,k,7\n");

        assertThat(file.rows()).containsExactly(new GemmRange(512, 42, 0, "k", 7));
    }

    @Test
    void rowsWithoutANumberAreCounted() throws IOException {
        VarianceFile file = read("""
            threads,channel,rank,time_diff_us
            256,28,0,1
            256,28,x,1
            256,28,0,
            256,28,0,inf
            256,28
            256,28,0,-1
            256,28,0,-9223372036854775808
            256,28,0,1e308
            0.5,28,0,1
            256,1e30,0,1
            256,28,inf,1
            """);

        assertThat(file.rows()).hasSize(1);
        assertThat(file.skipped()).isEqualTo(10);
    }

    @Test
    void aMissingColumnIsNamed() {
        assertThatThrownBy(() -> read("threads,rank,time_diff_us\n1,2,3\n"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("channel or channels");
    }
}
