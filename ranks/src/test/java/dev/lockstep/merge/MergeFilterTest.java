// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import static dev.lockstep.merge.MergedFiles.merge;
import static dev.lockstep.merge.MergedFiles.rank;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.UserException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MergeFilterTest {
    private static final String EVENTS = """
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 1, "tid": 1, "ts": 1000, "dur": 500},
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#5", "pid": 1, "tid": 1, "ts": 1500, "dur": 500},
        {"ph": "X", "cat": "cuda_runtime", "name": "launch4", "pid": 1, "tid": 1, "ts": 1100, "dur": 10, "args": {"correlation": 1}},
        {"ph": "X", "cat": "cpu_op", "name": "op5", "pid": 1, "tid": 1, "ts": 1600, "dur": 10},
        {"ph": "X", "cat": "kernel", "name": "gemm4", "pid": 0, "tid": 7, "ts": 1700, "dur": 10, "args": {"correlation": 1, "stream": 7}},
        {"ph": "X", "cat": "kernel", "name": "copy", "pid": 0, "tid": 20, "ts": 1800, "dur": 10, "args": {"stream": 20}},
        """;

    private static List<String> kept(boolean deviceOnly, String... filters) throws IOException {
        List<MergeFilter.Condition> conditions = new ArrayList<>();
        for (String filter : filters) {
            boolean drop = filter.startsWith("!");
            conditions.add(MergeFilter.parse(drop ? filter.substring(1) : filter, !drop));
        }
        MergeOptions options = new MergeOptions(new MergeFilter(conditions, deviceOnly), false);
        return merge(List.of(rank(0, 1, EVENTS)), options).lines("\"ph\":\"X\"").stream()
                .map(line -> line.replaceFirst(".*\"name\":\"([^\"]*)\".*", "$1"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cat=kernel | gemm4 copy",
                "!cat=user_annotation,kernel | launch4 op5",
                "name=*4 | ProfilerStep#4 launch4 gemm4",
                "name=gem?4 | gemm4",
                "stream=20 | ProfilerStep#4 launch4 ProfilerStep#5 op5 copy",
                "!stream=20 | ProfilerStep#4 launch4 ProfilerStep#5 op5 gemm4",
                "stream=8..20 | ProfilerStep#4 launch4 ProfilerStep#5 op5 copy",
                "cat= kernel | gemm4 copy",
                "time=0us..200us | ProfilerStep#4 launch4",
                "time=0.75ms.. | ProfilerStep#5 copy",
                "step=4 | ProfilerStep#4 launch4 gemm4",
                "step=5..9 | ProfilerStep#5 op5 copy",
                "!step=4 | ProfilerStep#5 op5 copy",
                "under=ProfilerStep#4 | ProfilerStep#4 launch4 gemm4",
                "under=op? | op5",
                "!under=Profiler*4 | ProfilerStep#5 op5 copy",
            })
    void oneCondition(String filter, String names) throws IOException {
        assertThat(String.join(" ", kept(false, filter))).isEqualTo(names);
    }

    @Test
    void conditionsOfOneKindAddUpAndKindsMustAllHold() throws IOException {
        assertThat(kept(false, "cat=kernel", "cat=cpu_op", "!name=copy")).containsExactly("op5", "gemm4");
        assertThat(kept(true)).containsExactly("gemm4", "copy");
        assertThat(kept(true, "stream=7")).containsExactly("gemm4");
    }

    @Test
    void ranksAreChosenByNumber() {
        MergeFilter filter = new MergeFilter(
                List.of(MergeFilter.parse("rank=0,4..7", true), MergeFilter.parse("rank=5", false)), false);
        assertThat(List.of(0, 1, 4, 5, 6, 8).stream().filter(filter::wantsRank)).containsExactly(0, 4, 6);
    }

    @Test
    void windowsCountFromTheFirstRankThoughItIsNotWanted() throws IOException {
        MergeFilter filter = new MergeFilter(
                List.of(MergeFilter.parse("rank=1", true), MergeFilter.parse("time=0us..200us", true)), false);
        String later = EVENTS.replace("\"ts\": 1", "\"ts\": 11");
        assertThat(merge(List.of(rank(0, 2, EVENTS), rank(1, 2, later)), new MergeOptions(filter, false))
                        .lines("\"ph\":\"X\""))
                .isEmpty();
        assertThat(merge(List.of(rank(0, 2, EVENTS), rank(1, 2, EVENTS)), new MergeOptions(filter, false))
                        .lines("\"ph\":\"X\""))
                .hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "cat",
                "cat=",
                "cat=,",
                "cat=kernel,,cpu_op",
                "stream=9..7",
                "color=red",
                "time=5..6",
                "time=5ms",
                "time=-5ms..",
                "time=9ms..1ms",
                "time=999999999999999s..",
                "step=x",
                "step=-1",
                "rank=3..1",
                "rank=99999999999"
            })
    void whatIsNoFilterIsRefused(String text) {
        assertThatThrownBy(() -> MergeFilter.parse(text, true))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not a filter: " + text);
    }
}
