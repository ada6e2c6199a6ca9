// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.StreamSource;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What records say, from their text to the time of a transfer. */
class TrafficTest {
    private final Traffic traffic = new Traffic();

    private long read(String text) throws IOException {
        return new InspectorReader(traffic::add)
                .read(new StreamSource(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))));
    }

    private static String header(int rank) {
        return String.format(
                Locale.ROOT,
                "\"header\":{\"id\":\"0x7\",\"rank\":%d,\"n_ranks\":2,\"nnodes\":1},\"metadata\":"
                        + "{\"dump_timestamp_us\":1000,\"hostname\":\"h\",\"pid\":%d}",
                rank,
                rank);
    }

    private static String operation(int sequence, int us) {
        return String.format(
                Locale.ROOT,
                "{\"coll\":\"AllReduce\",\"coll_sn\":%d,\"coll_msg_size_bytes\":4096,\"coll_exec_time_us\":%d,"
                        + "\"coll_busbw_gbs\":%f}",
                sequence,
                us,
                4.096 / us);
    }

    private static String record(int rank, int sequence, int us) {
        return "{" + header(rank) + ",\"coll_perf\":" + operation(sequence, us) + "}\n";
    }

    @Test
    void theShortestTimeIsTheTransferAndItsRankCameLast() throws IOException {
        assertThat(read(record(0, 5, 30) + record(1, 5, 20) + record(0, 6, 40))).isZero();
        Course course = traffic.courses().getFirst();
        assertThat(course.size()).isEqualTo(2);
        assertThat(course.complete()).containsExactly(0);
        assertThat(course.shortestNs(0)).isEqualTo(20_000);
        assertThat(course.last(0)).isOne();
        assertThat(course.late(0)).isEqualTo(10_000);
        assertThat(course.bandwidth(0)).isCloseTo(0.2048, org.assertj.core.data.Offset.offset(1e-6));
        assertThat(course.late(1)).isZero();
    }

    @Test
    void recordsMayBeIndentedInListsOrWithoutAHeader() throws IOException {
        String indented = "{\n  " + header(0) + ",\n  \"coll_perf\":\n  " + operation(1, 10) + "\n}\n";
        String listed = "{" + header(1) + ",\"coll_perf\":[" + operation(1, 10) + "," + operation(2, 11) + "]}\n";
        String headless = "{\"coll_perf\":" + operation(3, 12) + "}\n";
        assertThat(read(indented + listed + headless)).isZero();
        assertThat(traffic.operations()).isEqualTo(4);
        assertThat(traffic.courses().getFirst().size()).isEqualTo(3);
    }

    @Test
    void whatChannelsDidIsPassedBy() throws IOException {
        String verbose = "{" + header(0) + ",\"coll_perf\":"
                + operation(1, 10)
                        .replace(
                                "}",
                                ",\"event_trace_sn\":{\"coll_start_sn\":9},\"event_trace_ts\":{\"coll_start_ts\":77,"
                                        + "\"kernel_events\":[{\"channel_id\":0,\"kernel_start_ts\":5}]}}")
                + "}\n";
        assertThat(read(verbose)).isZero();
        assertThat(traffic.operations()).isOne();
        assertThat(traffic.courses().getFirst().calledUs(0)).isEqualTo(77);
        assertThat(traffic.courses().getFirst().sequence(0)).isOne();
    }

    @Test
    void damageCostsItsRecordAndWhatLacksATimeIsCounted() throws IOException {
        long damaged = read(record(0, 1, 10) + "{\"header\":{\"id\"\n" + record(1, 1, 10) + record(0, 2, 0));
        assertThat(damaged).isOne();
        assertThat(traffic.operations()).isEqualTo(2);
        assertThat(traffic.unusable()).isOne();
    }

    @Test
    void droppedRecordsAreCountedOnce() throws IOException {
        String dropped = "{" + header(0) + ",\"dump_stats\":{\"coll_dropped_total\":%d,\"p2p_dropped_total\":1}}\n";
        read(String.format(Locale.ROOT, dropped, 4) + String.format(Locale.ROOT, dropped, 9));
        assertThat(traffic.communicators().getFirst().dropped[0]).isEqualTo(10);
        assertThat(traffic.operations()).isZero();
    }

    @Test
    void theNthMessageSentIsTheNthReceived() throws IOException {
        String message = "{%s,\"p2p_perf\":{\"p2p\":\"%s\",\"p2p_sn\":%d,\"p2p_peer\":%d,\"p2p_msg_size_bytes\":4096,"
                + "\"p2p_exec_time_us\":%d}}\n";
        for (int i = 0; i < 3; i++) {
            read(String.format(Locale.ROOT, message, header(0), "Send", 10 + 2 * i, 1, 20));
            read(String.format(Locale.ROOT, message, header(1), "Recv", 7 + i, 0, 30));
        }
        assertThat(traffic.courses()).hasSize(1);
        Course course = traffic.courses().getFirst();
        assertThat(List.of(course.from, course.to)).containsExactly(0, 1);
        assertThat(course.complete()).hasSize(3);
        assertThat(course.last(0)).isZero();
    }
}
