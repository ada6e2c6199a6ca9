// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Annotated exports of one process: rank 1 of 4 in a communicator, whose hash is 0x7. */
class NsysCollectivesTest {
    private static final int PID = 40;
    private static final long PROCESS = 1L << 56 | (long) PID << 24;

    @TempDir
    Path folder;

    private final List<String> rows = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private long time = 10_000;

    private void nvtx(long start, Long end, String text) {
        rows.add("INSERT INTO NVTX_EVENTS VALUES (" + start + ", " + end + ", " + (end == null ? 34 : 59) + ", '" + text
                + " pid " + PID + "', " + (PROCESS | PID) + ", NULL, NULL)");
    }

    private void call(String name, long bytes, int typeBytes, String more) {
        nvtx(
                time,
                time + 100,
                "nccl" + name + "(): commHash 0x7, stream 0x5, data_size " + bytes + ", type_size " + typeBytes + more
                        + ",");
        time += 1000;
    }

    private void kernel(String name) {
        names.add(name);
        rows.add("INSERT INTO StringIds VALUES (" + names.size() + ", '" + name + "')");
        rows.add("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" + time + ", " + (time + 500) + ", 0, 20, NULL, "
                + PROCESS + ", " + names.size() + ")");
        time += 1000;
    }

    private void group(boolean begins) {
        nvtx(time, time + 50, begins ? "ncclGroupStart():" : "ncclGroupEnd():");
        time += 100;
    }

    private RankCollectives read() throws Exception {
        Path file = folder.resolve("x.sqlite");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
            statement.executeUpdate(
                    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid"
                            + " INTEGER, jsonText TEXT, binaryData BLOB)");
            statement.executeUpdate("CREATE TABLE NVTX_PAYLOAD_SCHEMA_ENTRIES (domainId INTEGER, schemaId INTEGER,"
                    + " name TEXT, type INTEGER, offset INTEGER)");
            statement.executeUpdate(
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
                            + " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER)");
            for (String row : rows) {
                statement.executeUpdate(row);
            }
        }
        try (Session session = new Session(1)) {
            Trace trace = session.read(TraceInput.of(file), read -> {}).getFirst();
            return new DerivedCache(trace).get(RankCollectives.Key.standard());
        }
    }

    private static String said(CollectiveCall call) {
        return call.name() + " " + call.group() + " of " + call.groupSize() + ": " + call.inElements() + " to "
                + call.outElements() + " " + call.dtype();
    }

    @Test
    void callsSayHowMuchTheirKernelsMove() throws Exception {
        nvtx(100, 900L, "commHash 0x7 commId 0xabc rank 1 nranks 4");
        call("AllReduce", 4096, 2, ", red_op 0");
        kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm *)");
        call("AllGather", 512, 4, "");
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");
        call("ReduceScatter", 512, 4, ", red_op 0");
        kernel("ncclDevKernel_ReduceScatter_Sum_f32_RING_LL(ncclDevComm *)");

        RankCollectives kernels = read();

        assertThat(kernels.calls())
                .extracting(NsysCollectivesTest::said)
                .containsExactly(
                        "AllReduce 0xabc of 4: 2048 to 2048 BFloat16",
                        "AllGather 0xabc of 4: 512 to 2048 Byte",
                        "ReduceScatter 0xabc of 4: 512 to 128 Float");
    }

    /** A range of NCCL as it is shipped; what it attaches is spelled in words, or lies in memory like a struct. */
    private void shipped(String name, String json, String binary) {
        rows.add("INSERT INTO NVTX_EVENTS VALUES (" + time + ", " + (time + 100) + ", 59, '" + name + "', "
                + (PROCESS | PID) + ", " + json + ", " + binary + ")");
        time += 1000;
    }

    private static String packed(int schema, long... fields) {
        ByteBuffer bytes = ByteBuffer.allocate(32 + 8 * fields.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(3)
                .putInt(0)
                .putInt(schema)
                .putInt(0)
                .putLong(8L * fields.length)
                .putLong(bytes.capacity());
        for (long field : fields) {
            bytes.putLong(field);
        }
        return HexFormat.of().formatHex(bytes.array());
    }

    @Test
    void shippedLibrariesSayTheirSizesInPayloads() throws Exception {
        for (String field : List.of(
                "7, 'NCCL communicator ID', 18, NULL",
                "7, 'Message size [bytes]', 22, 8",
                "8, 'NCCL communicator ID', 18, NULL",
                "8, 'No. of ranks', 5, 8",
                "8, 'Rank', 5, 12",
                "7, 'Peer rank', 5, 2147483647",
                "7, 'No. of ranks', 18, 9223372036854775807",
                "9, 'Message size [bytes]', 22, 0")) {
            rows.add("INSERT INTO NVTX_PAYLOAD_SCHEMA_ENTRIES VALUES (3, " + field + ")");
        }
        shipped("ncclCommInitRank", "NULL", "X'" + packed(8, 0xabc, 1L << 32 | 4) + "'");
        shipped("ncclAllReduce", "NULL", "X'" + packed(7, 0xabc, 4096) + "'");
        kernel("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm *)");
        shipped("ncclAllGather", "'{\"NCCL communicator ID\": 2748, \"Message size [bytes]\": 1,024}'", "NULL");
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");
        shipped("ncclBroadcast", "NULL", "'0x" + packed(9, 77) + "'");
        kernel("ncclDevKernel_Broadcast_RING_LL(ncclDevComm *)");
        shipped("ncclReduce", "NULL", "'0x" + packed(10, 77) + "'"); // no schema says how it is laid out
        shipped("ncclReduce", "NULL", "'neither'");

        List<CollectiveCall> calls = read().calls();

        assertThat(calls).hasSize(3);
        assertThat(calls.subList(0, 2))
                .extracting(NsysCollectivesTest::said)
                .containsExactly("AllReduce 0xabc of 4: 4096 to 4096 Byte", "AllGather 0xabc of 4: 1024 to 4096 Byte");
        assertThat(calls.get(2).inElements()).isEqualTo(77);
        assertThat(calls.get(2).group()).isNotEqualTo(NcclPayloads.NO_COMMUNICATOR);
    }

    @Test
    void reductionsNameTheTypesOfTheirElements() throws Exception {
        List<String> types =
                List.of("f64", "f32", "f16", "bf16", "f8e4m3", "f8e5m2", "i64", "u64", "i32", "u32", "i8", "u8");
        List<Integer> bytes = List.of(8, 4, 2, 2, 1, 1, 8, 8, 4, 4, 1, 1);
        for (int i = 0; i < types.size(); i++) {
            call("AllReduce", 64, bytes.get(i), ", red_op 0");
            kernel("ncclDevKernel_AllReduce_Sum_" + types.get(i) + "_RING_LL(ncclDevComm *)");
        }

        assertThat(read().calls())
                .extracting(call -> call.inElements() + " " + call.dtype())
                .containsExactly(
                        "8 Double",
                        "16 Float",
                        "32 Half",
                        "32 BFloat16",
                        "64 Float8_e4m3fn",
                        "64 Float8_e5m2",
                        "8 Long",
                        "8 UInt64",
                        "16 Int",
                        "16 UInt32",
                        "64 Char",
                        "64 Byte");
    }

    @Test
    void messagesOfAGroupAreAddedUp() throws Exception {
        nvtx(100, 900L, "commHash 0x7 commId 0xabc rank 1 nranks 4");
        group(true);
        call("Send", 1000, 1, ", receiver_rank 2");
        call("Send", 2000, 1, ", receiver_rank 3");
        call("Recv", 500, 1, ", sender_rank 0");
        group(false);
        kernel("ncclDevKernel_SendRecv(ncclDevComm *)");

        assertThat(read().calls()).singleElement().satisfies(call -> {
            assertThat(said(call)).isEqualTo("SendRecv 0xabc of 4: 3000 to 500 Byte");
            assertThat(call.kind()).isEqualTo(CollectiveKind.SEND_RECEIVE);
        });
    }

    @Test
    void sizesThatNoNumberHoldsAreUnknown() throws Exception {
        nvtx(100, 900L, "commHash 0x7 commId 0xabc rank 1 nranks 2147483647");
        call("AllGather", 1L << 39, 1, "");
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");
        call("Broadcast", Long.MAX_VALUE, 1, "");
        kernel("ncclDevKernel_Broadcast_RING_LL(ncclDevComm *)");

        assertThat(read().calls()).extracting(CollectiveCall::outElements).containsExactly(-1L, -1L);
    }

    @Test
    void differentCollectivesInOneKernelHaveNoSize() throws Exception {
        nvtx(100, 900L, "commHash 0x7 commId 0xabc rank 1 nranks 4");
        group(true);
        call("AllGather", 1000, 1, "");
        call("ReduceScatter", 2000, 4, ", red_op 0");
        group(false);
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");

        assertThat(read().calls()).singleElement().satisfies(call -> {
            assertThat(call.collective()).isNull();
            assertThat(call.group()).isEqualTo("0xabc");
            assertThat(call.inElements()).isEqualTo(-1);
        });
    }

    @Test
    void withoutMembersOnlyWhatCallsSayIsKnown() throws Exception {
        call("AllGather", 512, 4, "");
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");
        call("AllReduce", 64, 8, ", red_op 0");
        kernel("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm *)");

        // The kernel's name is that of 4 bytes, the call's elements have 8: what they are is not known.
        assertThat(read().calls())
                .extracting(NsysCollectivesTest::said)
                .containsExactly("AllGather 0x7 of -1: 512 to -1 Byte", "AllReduce 0x7 of -1: 64 to 64 Byte");
    }

    @Test
    void kernelsWithoutAnnotationsStayAsTheyAre() throws Exception {
        nvtx(100, 900L, "something else");
        kernel("ncclDevKernel_AllGather_RING_LL(ncclDevComm *)");

        assertThat(read().calls()).singleElement().satisfies(call -> {
            assertThat(call.collective()).isNull();
            assertThat(call.group()).isNull();
        });
    }
}
