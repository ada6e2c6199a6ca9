// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.analyze.gemm.GemmVariance;
import dev.lockstep.analyze.gemm.RankGemms;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.UserException;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowMatcherTest {
    private static final List<String> HEADS =
            List.of("threads", "channel", "rank", "kernel_name", "col_name", "col_Input Dims_first", "stream");

    private static RowMatcher rows(String... lines) {
        return new RowMatcher(new ChainFile(
                "x.csv",
                HEADS,
                Arrays.stream(lines).map(line -> List.of(line.split(";", -1))).toList()));
    }

    private static RankGemms gemms() {
        EventText events = new EventText();
        for (int i = 0; i < 3; i++) {
            events.op("aten::mm", i * 9_000L, 2_000, "\"Input Dims\": [[" + (i + 1) + ", 64], [64, 32]]")
                    .launch("Cijk_k", i * 9_000L + 500, i * 9_000L + 4_000, 1_000, i + 1, 7);
        }
        return GemmVariance.standard().run(new DerivedCache(TestTraces.of(events)));
    }

    @Test
    void rowsMeanTheKernelsOfTheirOwnShape() {
        RankGemms gemms = gemms();
        RowMatcher matcher = rows(
                "256;28;0;Cijk_k;aten::mm;[[2, 64], [64, 32]];7",
                "256;28;0;Cijk_k;aten::mm;((2, 64), (64, 32));",
                "256;28;0;Cijk_k;;;",
                "256;28;0;Cijk_k;aten::bmm;;",
                "256;28;0;Cijk;aten::mm;;",
                "256;28;0;Cijk_k;aten::mm;[[2, 64], [64, 32]];8");

        assertThat(matcher.match(0, gemms)).hasSize(1).isEqualTo(matcher.match(1, gemms));
        assertThat(gemms.gemms().get(matcher.match(0, gemms).getFirst()).shape().dims())
                .isEqualTo("[[2, 64], [64, 32]]");
        assertThat(matcher.match(2, gemms)).hasSize(3);
        assertThat(matcher.match(3, gemms)).isEmpty();
        assertThat(matcher.match(4, gemms)).isEmpty();
        assertThat(matcher.match(5, gemms)).isEmpty();
    }

    @Test
    void aRowWithoutItsNumbersIsAnError() {
        assertThatThrownBy(() -> rows("256;many;0;k;;;"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("row 1 has 'many' in column 'channel'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[[3072], [4096, 1024]] | [[3072],[4096,1024]]",
                "((3072,), (4096, 1024)) | [[3072],[4096,1024]]",
                "['c10::BFloat16', 'a b'] | [\"c10::BFloat16\",\"a b\"]",
                "[\"c10::BFloat16\",\"a b\"] | [\"c10::BFloat16\",\"a b\"]",
                "[] | []"
            })
    void listsAreEqualHoweverTheyAreSpelt(String text, String plain) {
        assertThat(GemmCells.plainList(text)).isEqualTo(plain);
    }

    @Test
    void furtherColumnsReplaceThoseOfTheSameName() {
        ChainFile file = new ChainFile("x", List.of("a", "b"), List.of(List.of("1", "2"), List.of("3")));

        assertThat(file.with(List.of("b", "c"), List.of(List.of("x", "y,z"), List.of("", "")))
                        .text())
                .isEqualTo("a,b,c\n1,x,\"y,z\"\n3,,\n");
    }
}
