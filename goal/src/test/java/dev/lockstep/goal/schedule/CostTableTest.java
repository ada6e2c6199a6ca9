// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CostTableTest {
    private final CostTable table =
            CostTable.of(Map.of(100L, new long[] {10, 30}, 200L, new long[] {60}, 400L, new long[] {100, 140}));

    @Test
    void betweenSizesCostsLieOnLinesBetweenMeans() {
        assertThat(table.mean(100, true)).isEqualTo(20);
        assertThat(table.mean(150, true)).isEqualTo(40);
        assertThat(table.mean(300, true)).isEqualTo(90);
        assertThat(table.mean(5, true)).isEqualTo(20);
    }

    @Test
    void beyondTheLargestSizeTheLastLineGoesOnUnlessItIsNotWanted() {
        assertThat(table.mean(800, true)).isEqualTo(240);
        assertThat(table.mean(800, false)).isEqualTo(120);
    }

    @Test
    void costsHaveNoOtherSignAndCanBeAdded() {
        long large = 1L << 60;
        long[] many = new long[9];
        Arrays.fill(many, large);
        CostTable steep = CostTable.of(Map.of(1L, new long[] {0}, 2L, many));

        assertThat(steep.mean(2, true)).isEqualTo(large);
        assertThat(steep.mean(1 << 20, true)).isEqualTo(large);
        assertThat(steep.draw(1 << 20, true, 7)).isEqualTo(large);
    }

    @Test
    void drawsAreSamplesOrNearTheMean() {
        for (long random = -500; random < 500; random++) {
            assertThat(table.draw(100, true, random * 7919)).isIn(10L, 30L);
            assertThat(table.draw(800, false, random * 7919)).isIn(100L, 140L);
            assertThat(table.draw(300, true, random * 7919)).isBetween(85L, 95L);
        }
        assertThat(table.draw(300, true, 12345)).isEqualTo(table.draw(300, true, 12345));
    }

    @Test
    void aFileIsReadByTheNamesOfItsTables(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(
                folder.resolve("t.json"),
                "{\"OTHER\": [1], \"" + CostTable.REDUCE + "\": {\"8\": [3, 5], \"4\": [2]}}");

        Map<String, CostTable> tables = CostTable.read(file, CostTable.REDUCE);

        assertThat(tables.get(CostTable.REDUCE).mean(6, true)).isEqualTo(3);
        assertThatThrownBy(() -> CostTable.read(file, CostTable.COPY))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("no table " + CostTable.COPY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "{\"T\": 1}",
                "{\"T\": {\"x\": [1]}}",
                "{\"T\": {\"4\": [-1]}}",
                "{\"T\": {\"4\": [1e300]}}",
                "{\"T\": {\"4\": [9000000000000000000]}}",
                "{\"T\": {}}",
                "{\"T\": {"
            })
    void aDamagedFileIsNamed(String json, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("t.json"), json);

        assertThatThrownBy(() -> CostTable.read(file, "T"))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining("t.json");
    }
}
