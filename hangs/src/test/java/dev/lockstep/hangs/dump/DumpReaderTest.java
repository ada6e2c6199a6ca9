// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.PlainPickle.Other;
import dev.lockstep.error.TraceFormatException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DumpReaderTest {
    @TempDir
    private Path folder;

    private RankDump read(String text) throws IOException {
        return new DumpReader().read(Files.writeString(folder.resolve("trace_3"), text));
    }

    private static Object json(String text, long most) throws IOException {
        return PlainJson.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                most,
                (members, from, to) -> to - from == 2 && members[from].equals("taken") ? "T" : null);
    }

    @ParameterizedTest
    @CsvSource({
        "nccl_trace_rank_12, 12",
        "comm_lib_trace_rank_7.gz, 7",
        "host2_rank_15.json, 15",
        "rank_4.json.gz, 4",
        "dump_of_host, -1",
        "job_123456789, -1",
        "nccl_trace_rank_0, 0",
    })
    void theRankIsTheLastNumberOfTheName(String name, int rank) {
        assertThat(DumpReader.rank(Path.of(name))).isEqualTo(rank);
    }

    @Test
    void jsonIsWhatAPickleHolds() throws IOException {
        assertThat(json("{\"a\":[1,\"x\",null,true,2.5,[]],\"b\":{\"taken\":1},\"c\":{\"d\":-7}}", 10_000))
                .isEqualTo(Map.of(
                        "a", List.of(1L, "x", Other.NONE, true, 2.5, List.of()), "b", "T", "c", Map.of("d", -7L)));
        assertThat(json("3", 1000)).isEqualTo(3L);
    }

    @Test
    void whatIsTakenFreesItsRoom() throws IOException {
        String entry = "{\"taken\":[1,2,3,4,5,6,7,8,9,10]}";
        String many = "[" + (entry + ",").repeat(999) + entry + "]";
        assertThat(json(many, 200_000)).isEqualTo(Collections.nCopies(1000, "T"));
        assertThatThrownBy(() -> json(many.replace("taken", "kept"), 200_000))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("LOCKSTEP_HEAP");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"a\":1", "[1,2", "{\"a\" 1}", "1 2", "", "{\"a\":}", "nul"})
    void damagedJsonIsRefused(String text) {
        assertThatThrownBy(() -> json(text, 10_000)).isInstanceOf(JsonProcessingException.class);
    }

    @Test
    void depthCostsMemoryAndNotTheStack() {
        assertThatThrownBy(() -> json("[".repeat(1_000_000), 1 << 20))
                .isInstanceOf(JsonProcessingException.class)
                .hasMessageContaining("MiB");
    }

    @Test
    void entriesComeBeforeOrBehindTheGroups() throws IOException {
        String entries = "\"entries\":[{\"profiling_name\":\"nccl:all_reduce\",\"state\":\"completed\","
                + "\"process_group\":[\"7\",\"dp\"],\"collective_seq_id\":\"4\",\"record_id\":3,\"input_sizes\":[[2,3]],"
                + "\"input_dtypes\":[\"Half\"],\"frames\":[{\"name\":\"f\",\"filename\":\"/a/t.py\",\"line\":9}]}]";
        String groups = "\"pg_config\":{\"7\":{\"name\":\"7\",\"desc\":\"dp\",\"ranks\":[3, 1]}}";
        for (String text : List.of("{" + entries + "," + groups + "}", "{" + groups + "," + entries + "}")) {
            RankDump dump = read(text);
            assertThat(dump.size()).isOne();
            assertThat(dump.sequence(0)).isEqualTo(4);
            assertThat(dump.source().lost()).isEqualTo(3);
            assertThat(dump.stack(0)).isEqualTo("/a/t.py:9 f");
            assertThat(dump.call(0).words()).isEqualTo("all_reduce of 6 Half");
            assertThat(dump.groups().getFirst().ranks()).containsExactly(3, 1);
        }
    }

    @Test
    void callsOfOneNumberAreOneAndEndWithTheLast() throws IOException {
        String part = "{\"profiling_name\":\"nccl:%s\",\"state\":\"%s\",\"process_group\":[\"0\",\"\"],\"is_p2p\":true,"
                + "\"p2p_seq_id\":1,\"input_sizes\":[[4]],\"input_dtypes\":[\"Half\"]}";
        RankDump dump = read("{\"entries\":["
                + String.join(
                        ",",
                        String.format(part, "send 0->1", "scheduled"),
                        String.format(part, "recv 0<-1", "scheduled"),
                        String.format(part, "coalesced", "completed"))
                + "]}");
        assertThat(dump.size()).isOne();
        assertThat(dump.isPassed(0)).isTrue();
        assertThat(dump.call(0).parts()).extracting(Call::peer).containsExactly(1, 1);
    }

    @Test
    void whatIsDoneBehindOnADeviceIsDoneButNotOverGloo() throws IOException {
        String entry = "{\"profiling_name\":\"%s:all_reduce\",\"state\":\"%s\",\"process_group\":[\"0\",\"\"],"
                + "\"collective_seq_id\":%d}";
        for (String library : List.of("nccl", "gloo")) {
            RankDump dump = read("{\"entries\":[" + String.format(entry, library, "scheduled", 1) + ","
                    + String.format(entry, library, "completed", 2) + "]}");
            assertThat(dump.isPassed(0)).as(library).isEqualTo(library.equals("nccl"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"entries\":{}}", "[]", "{\"entries\":[1]}", "7", "{\"pg_config\":{}}"})
    void whatIsNoDumpIsRefused(String text) {
        assertThatThrownBy(() -> read(text)).isInstanceOf(TraceFormatException.class);
    }
}
