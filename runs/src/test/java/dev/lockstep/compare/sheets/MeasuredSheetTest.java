// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare.sheets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.table.Table;
import dev.lockstep.testkit.Shown;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the rows of a sheet mean, whoever wrote it. */
class MeasuredSheetTest {
    private static final String ARGUMENTS = "name | Input type | Input Dims | Input Strides | Concrete Inputs";

    private static MeasuredSheet measured(String name, String... lines) {
        Table sheet = Shown.sheet(name, lines);
        return MeasuredSheet.of(Objects.requireNonNull(SheetMeaning.of(sheet)), sheet);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            nullValues = "-",
            value = {
                "[[3072], [4096, 1024]]      ; [[3072],[4096,1024]]",
                "((3072,), (4096, 1024))     ; [[3072],[4096,1024]]",
                "{'a': 1, 'b': (2,)}         ; {\"a\":1,\"b\":[2]}",
                "('c10::BFloat16', 'a b')    ; [\"c10::BFloat16\",\"a b\"]",
                "[\"it's\", 'say \\\"No\\\"'] ; [\"it's\",\"say \\\"No\\\"\"]",
                "[None, True, False, '(x,)'] ; [null,true,false,\"(x,)\"]",
                "[N, ()]                     ; [N,[]]",
                "'['                         ; '['",
                "TRUE                        ; true",
                "False                       ; false",
                "nonesuch                    ; nonesuch",
                "None                        ; ``",
                "nan                         ; ``",
                "NULL                        ; ``",
                "aten::mm                    ; aten::mm",
                "-                           ; ``"
            })
    void keysAreEqualHoweverTheyAreSpelt(String cell, String key) {
        MeasuredSheet sheet = measured(
                "ops_unique_args",
                ARGUMENTS + " | total_direct_kernel_time_sum | operation_count",
                "first row is a text || | | | 1 | 1",
                "x | x | " + (cell == null ? "" : cell) + " | x | x | 1 | 1");

        assertThat(sheet.heads())
                .containsExactly("name", "Input type", "Input Dims", "Input Strides", "Concrete Inputs");
        assertThat(sheet.lines().getLast().cells().get(2)).isEqualTo(key);
    }

    @Test
    void wholeNumbersAreKeysWithoutTheirZeros() {
        List<MeasuredSheet.Line> lines = measured(
                        "GEMM",
                        "name | param: M | param: alpha | param: bias | Kernel Time (µs)_sum | name_count",
                        "mm | 8 | 8.0 | true | 2 | 1",
                        "mm | 16 | 0.5 | false | 2 | 1")
                .lines();

        assertThat(lines.getFirst().cells()).containsExactly("mm", "8", "8", "true");
        assertThat(lines.getLast().cells()).containsExactly("mm", "16", "0.5", "false");
    }

    /** 2 µs at 100 TFLOP/s and 6 µs at 20: 320 / 8 = 40. Of the bandwidths only one is known. */
    @Test
    void rowsOfOneKeyAreAddedAndTheirSpeedsWeighedByTime() {
        MeasuredSheet sheet = measured(
                "GEMM",
                "name | param: M | Kernel Time (µs)_sum | name_count | TFLOPS/s_mean | TB/s_mean",
                "mm | 8 | 2 | 1 | 100 | ",
                "mm | 16 | 6 | 3 | 20 | 2",
                "bmm | 8 | 5 | 2 | | 3");

        Amount mm = Objects.requireNonNull(sheet.by(List.of("name"), 1).get(List.of("mm")));
        assertThat(mm.ns()).isEqualTo(8_000);
        assertThat(mm.count()).isEqualTo(4);
        assertThat(mm.meanNs()).isEqualTo(2_000);
        assertThat(mm.speeds()[0]).isCloseTo(40, within(1e-9));
        assertThat(mm.speeds()[1]).isEqualTo(2);
        Amount half = Objects.requireNonNull(sheet.by(List.of("name"), 2).get(List.of("bmm")));
        assertThat(half.ns()).isEqualTo(2_500);
        assertThat(half.speeds()[0]).isNaN();
        assertThat(sheet.sum()).isEqualTo(13_000);
    }

    /** 3 µs at 10, 5 µs at who knows what, 1 µs at 30: (30 + 30) / 4 = 15, whichever comes first. */
    @Test
    void timeWhoseSpeedIsUnknownHasNoWeight() {
        String head = "name | param: M | Kernel Time (µs)_sum | name_count | TFLOPS/s_mean | TB/s_mean";
        List<String> rows = List.of("mm | 1 | 3 | 1 | 10 | 1", "mm | 2 | 5 | 1 | | ", "mm | 3 | 1 | 1 | 30 | 1");
        for (List<Integer> order : List.of(List.of(0, 1, 2), List.of(1, 2, 0), List.of(2, 0, 1))) {
            MeasuredSheet sheet =
                    measured("GEMM", head, rows.get(order.get(0)), rows.get(order.get(1)), rows.get(order.get(2)));
            Amount mm = Objects.requireNonNull(sheet.by(List.of("name"), 1).get(List.of("mm")));
            assertThat(mm.speeds()[0]).as("in order %s", order).isCloseTo(15, within(1e-9));
        }
    }

    @Test
    void aCountThatOneRowDoesNotSayIsUnknown() {
        MeasuredSheet sheet = measured(
                "ops_summary", "name | total_direct_kernel_time_ms | Count", "mm | 2 | 4", "mm | 1 | ", "add | | 3");

        Amount mm = Objects.requireNonNull(sheet.by(List.of("name"), 1).get(List.of("mm")));
        assertThat(mm.ns()).isEqualTo(3_000_000);
        assertThat(mm.count()).isEqualTo(-1);
        assertThat(mm.meanNs()).isNaN();
    }

    @Test
    void aRowWithoutATimeIsLeftOut() {
        MeasuredSheet sheet = measured(
                "ops_summary", "name | total_direct_kernel_time_ms | Count", "mm | 2 | 4", "mm | x | 1", "add | | 3");

        assertThat(sheet.lines()).hasSize(1);
        assertThat(sheet.unread(List.of("name"))).containsExactlyInAnyOrder(List.of("mm"), List.of("add"));
    }

    @Test
    void aPartOfATimelineThatStandsTwiceIsLeftOut() {
        MeasuredSheet sheet = measured("gpu_timeline", "type | time ms", "total_time | 2", "total_time | 3");

        assertThat(sheet.lines()).hasSize(1);
        assertThat(sheet.unread(List.of("type"))).containsExactly(List.of("total_time"));
    }

    @Test
    void aSheetWithoutTimesMeasuresNothing() {
        MeasuredSheet sheet = measured("ops_summary", "name | Count", "mm | 2");

        assertThat(sheet.timed()).isFalse();
        assertThat(sheet.lines()).isEmpty();
    }

    @Test
    void keysThatOnlySomeReportsHaveMatchNothing() {
        String head = "name | Kernel Time (µs)_sum | name_count | param: M";
        MeasuredSheet plain = measured("GEMM", head, "mm | 1 | 1 | 8");
        MeasuredSheet more = measured("GEMM", head + " | param: N | is_recompute", "mm | 1 | 1 | 8 | 4 | false");
        Table sheet = Shown.sheet("GEMM", head, "mm | 1 | 1 | 8");
        SheetMeaning meaning = Objects.requireNonNull(SheetMeaning.of(sheet));

        assertThat(MeasuredSheet.sharedKeys(meaning, List.of(more, more)))
                .containsExactly("name", "is_recompute", "param: M", "param: N");
        assertThat(MeasuredSheet.sharedKeys(meaning, List.of(more, plain))).containsExactly("name", "param: M");
        SheetMeaning kernels = Objects.requireNonNull(SheetMeaning.of(Shown.sheet("kernel_summary", "name")));
        MeasuredSheet ours = MeasuredSheet.of(kernels, Shown.sheet("kernel_summary", "Kernel name | Count", "k | 1"));
        MeasuredSheet other = MeasuredSheet.of(kernels, Shown.sheet("kernel_summary", "name | Count", "k | 1"));
        assertThat(MeasuredSheet.sharedKeys(kernels, List.of(ours, ours))).containsExactly("Kernel name");
        assertThat(MeasuredSheet.sharedKeys(kernels, List.of(ours, other))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "gpu_timeline, gpu_timeline",
        "GPU_Timeline, gpu_timeline",
        "ops_all, ops_unique_args",
        "nccl_summary_long, coll_analysis",
        "kernel_summary_by_category, ops_summary_by_category",
        "gpu_time, ''",
        "anything, ''"
    })
    void sheetsAreKnownByTheirNames(String name, String id) {
        SheetMeaning meaning = SheetMeaning.of(Shown.sheet(name, "a"));

        assertThat(meaning == null ? "" : meaning.id()).isEqualTo(id);
        assertThat(SheetMeaning.isKnown(name)).isEqualTo(name.equals(id));
    }

    @Test
    void aSheetIsFoundUnderAnyOfItsNamesUnlessItIsEmpty() {
        Table all = Shown.sheet("ops_all", "name", "x");
        Table own = Shown.sheet("ops_unique_args", "name", "x");
        SheetMeaning meaning = Objects.requireNonNull(SheetMeaning.of(all));

        assertThat(meaning.in(List.of(all, own))).isSameAs(own);
        assertThat(meaning.in(List.of(all))).isSameAs(all);
        assertThat(meaning.in(List.of())).isNull();
    }
}
