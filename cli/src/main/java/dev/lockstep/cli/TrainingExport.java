// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.error.NamedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** A small export of Nsight Systems for {@link AotTraining}: two GPUs that reduce, as an annotated NCCL records it. */
final class TrainingExport {
    private static final int GPUS = 2;
    private static final int OPERATIONS = 100;
    private static final int BYTES = 1 << 20;
    private static final long PERIOD = 200_000;

    private final Connection connection;

    private TrainingExport(Connection connection) {
        this.connection = connection;
    }

    /** Writes the file; where the driver is not installed, there is none. */
    static void write(Path file) {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            new TrainingExport(connection).run();
            connection.commit();
        } catch (SQLException e) {
            System.getLogger(TrainingExport.class.getName())
                    .log(System.Logger.Level.DEBUG, "no export to train with", e);
        }
    }

    /** Costs of reducing and copying, as NPKit states them. */
    static void writeCosts(Path file) throws IOException {
        String sizes = ": {\"4\": [200], \"65536\": [2000, 2100], \"1048576\": [30000]}";
        NamedFiles.write(
                file,
                "{\"NPKIT_EVENT_GPU_RECV_REDUCE_SEND\"" + sizes + ", \"NPKIT_EVENT_GPU_DIRECT_RECV_COPY_SEND\"" + sizes
                        + "}");
    }

    private void run() throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
            statement.executeUpdate(
                    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT,"
                            + " globalTid INTEGER, textId INTEGER)");
            statement.executeUpdate(
                    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,"
                            + " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER)");
            statement.executeUpdate("INSERT INTO StringIds VALUES (1, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL()')");
        }
        for (int gpu = 0; gpu < GPUS; gpu++) {
            gpu(gpu);
        }
    }

    private void gpu(int gpu) throws SQLException {
        int other = 1 - gpu;
        nvtx(gpu, 0, 100, "commHash 0x1 commId 0x2 rank " + gpu + " nranks " + GPUS);
        nvtx(gpu, 10, -1, "commHash 0x1 Rings [0] " + other + "->" + gpu + "->" + other);
        for (int i = 1; i <= OPERATIONS; i++) {
            long at = i * PERIOD;
            nvtx(
                    gpu,
                    at,
                    at + 1000,
                    "ncclAllReduce(): commHash 0x1, stream 0x3, data_size " + BYTES + ", type_size 4, red_op 0,");
            nvtx(
                    gpu,
                    at + 10,
                    -1,
                    "collType 4 root 0 redOp 0 algo 1 proto 2 commHash 0x1 stream 0x3 data_size " + BYTES
                            + " type_size 4 chunkSize 2097152 chunkCount 524288 chunkSteps 4 sliceSteps 2 stepSize 524288");
            nvtx(
                    gpu,
                    at + 20,
                    -1,
                    "nWarps 17 count 262144 chunkCount 524288 workCount 262144 lastChunkCount 131072 workOffset 0 sendbuff 8"
                            + " recvbuff 8");
            insert(
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, 7, ?, ?, 1)",
                    at + 2000,
                    at + PERIOD / 2,
                    gpu,
                    i,
                    process(gpu));
        }
    }

    private void nvtx(int gpu, long start, long end, String text) throws SQLException {
        insert(
                "INSERT INTO NVTX_EVENTS VALUES (?, ?, ?, ?, ?, NULL)",
                start,
                end < 0 ? null : end,
                end < 0 ? 34 : 59,
                text + " pid " + (gpu + 1),
                process(gpu) + gpu + 1);
    }

    private static long process(int gpu) {
        return (gpu + 1L) << 24;
    }

    private void insert(String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
