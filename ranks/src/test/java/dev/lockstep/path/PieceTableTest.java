// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PieceTableTest {
    @Test
    void equalPiecesHaveOneRowAndDifferentOnesTheirOwn() {
        Random random = new Random(4);
        PieceTable table = new PieceTable();
        Map<List<Object>, Integer> rows = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int track = random.nextInt(3);
            PathClass of = PathClass.values()[random.nextInt(4)];
            int label = random.nextInt(12) - 1;
            int operator = random.nextInt(5) - 1;
            int module = random.nextInt(3) - 1;
            int shape = random.nextInt(4) * 77_777_777;
            int row = table.shaped(table.named(table.of(track, of), label, operator, module), shape);
            List<Object> piece = List.of(track, of, label, operator, module, shape);
            assertThat(rows.computeIfAbsent(piece, k -> row)).isEqualTo(row);
            assertThat(describe(table, row)).isEqualTo(piece);
        }
        assertThat(rows.values()).doesNotHaveDuplicates();
    }

    @Test
    void rowsOfAnotherTableComeWithItsTracksAndNamesRenumbered() {
        PieceTable other = new PieceTable();
        int named = other.named(other.of(1, PathClass.COPY), 2, -1, 0);
        PieceTable table = new PieceTable();
        int row = table.added(other, named, 10, new int[] {7, 8, 9});
        assertThat(describe(table, row)).isEqualTo(List.of(11, PathClass.COPY, 9, -1, 7, 0));
    }

    private static List<Object> describe(PieceTable table, int row) {
        List<Object> cells = new ArrayList<>();
        cells.add(table.track(row));
        cells.add(PathClass.of(table.pathClass(row)));
        cells.add(table.label(row));
        cells.add(table.operator(row));
        cells.add(table.module(row));
        cells.add(table.shape(row));
        return cells;
    }
}
