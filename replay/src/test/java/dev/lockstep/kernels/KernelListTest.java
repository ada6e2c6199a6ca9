// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelListTest {
    private static final String COUNTS = "device,category,kernel_name,count\n";

    @TempDir
    Path folder;

    private List<KernelList.Entry> read(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, text);
        List<KernelList.Entry> entries = new ArrayList<>();
        KernelList.read(file, (entry, line) -> entries.add(entry));
        return entries;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"name\": \"k\"|line 1: Unexpected end-of-input",
                "[1]|line 1: expected an object",
                "{\"module\": \"Linear\"}|line 1: expected a name",
                "{\"name\": \"k\", \"count\": -5}|line 1: -5 is no count",
                "{\"name\": \"k\", \"count\": 9000000000000000000}|line 1: 9000000000000000000 is no count",
                "{\"name\": \"k\", \"count\": 2.5}|line 1: 2.5 is no count",
                "{\"name\": \"k\", \"signature\": {}, \"count\": true}|line 1: true is no count",
                "{\"name\": \"k\", \"dur\": 1e300}|line 1: a duration of more than a year",
            })
    void aDamagedLineIsNamed(String line, String problem) {
        assertThatThrownBy(() -> read("list.jsonl", line))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void countsThatAreNoneAreNamed() {
        assertThatThrownBy(() -> read("a.csv", COUNTS + "0,compute,k,5\n0,compute,j,-1\n"))
                .hasMessageContaining("line 3: -1 is no count");
        assertThatThrownBy(() -> read("b.csv", COUNTS + "0,compute,k,9000000000000000000\n"))
                .hasMessageContaining("line 2: 9000000000000000000 is no count");
        assertThatThrownBy(() -> read("c.csv", "name,start_ms,dur_ms\nk,0,1e400\n"))
                .hasMessageContaining("a duration of more than a year");
    }

    @Test
    void marksOfByteOrderAndEndsOfLinesOfWindowsDoNoHarm() throws IOException {
        assertThat(read("list.jsonl", "\ufeff{\"name\": \"k\", \"dur\": 2.5}\r\n\r\n"))
                .extracting(KernelList.Entry::name, KernelList.Entry::duration)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("k", 2500L));
    }
}
