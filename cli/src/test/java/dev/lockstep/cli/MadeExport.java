// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** An export of Nsight Systems of several processes with a device each: ranges of PyTorch, what they launch, a collective in each step. */
final class MadeExport {
    private static final int STEPS = 6;

    private final Random random;
    private final int ranks;
    private final List<Object[]> messages = new ArrayList<>();
    private boolean kernels = true;

    MadeExport(long seed) {
        random = new Random(seed);
        ranks = 2 + random.nextInt(3);
    }

    int ranks() {
        return ranks;
    }

    /** Nothing that ran on devices is recorded. */
    MadeExport withoutKernels() {
        kernels = false;
        return this;
    }

    /** The profiler says something of itself. */
    MadeExport saying(int severity, String text) {
        messages.add(new Object[] {severity, text});
        return this;
    }

    void write(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("CREATE TABLE StringIds (id INTEGER, value TEXT)");
                statement.executeUpdate("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'gemm'),"
                        + " (3, 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL')");
                if (kernels) {
                    statement.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER,"
                            + " deviceId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER,"
                            + " demangledName INTEGER)");
                }
                statement.executeUpdate("CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER,"
                        + " globalTid INTEGER, correlationId INTEGER, nameId INTEGER)");
                statement.executeUpdate("CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER,"
                        + " text TEXT, globalTid INTEGER)");
                statement.executeUpdate("CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER,"
                        + " source INTEGER, severity INTEGER, text TEXT, globalPid INTEGER)");
            }
            for (Object[] message : messages) {
                insert(connection, "INSERT INTO DIAGNOSTIC_EVENT VALUES (0, 1, 1, ?, ?, NULL)", message);
            }
            long[] at = new long[ranks];
            int number = 0;
            for (int step = 0; step < STEPS; step++) {
                long end = 0;
                for (int rank = 0; rank < ranks; rank++) {
                    long process = rank + 1L << 24;
                    for (int i = 0; i < 4; i++) {
                        number++;
                        long launched = at[rank] + 2_000;
                        range(
                                connection,
                                at[rank],
                                at[rank] + 9_000,
                                "FSDP::pre_forward (layers.0), op_id = " + number,
                                process);
                        range(
                                connection,
                                launched,
                                launched + 5_000,
                                "aten::mm, seq = " + step + ", op_id = " + number,
                                process);
                        launch(
                                connection,
                                process,
                                number,
                                launched + 1_000,
                                launched + 8_000,
                                30_000 + random.nextInt(5_000),
                                rank,
                                2);
                        at[rank] += 60_000;
                    }
                    end = Math.max(end, at[rank]);
                }
                for (int rank = 0; rank < ranks; rank++) {
                    number++;
                    long process = rank + 1L << 24;
                    launch(connection, process, number, at[rank], at[rank] + 5_000, end + 90_000 - at[rank], rank, 3);
                    at[rank] = end + 120_000 + random.nextInt(4_000);
                }
            }
            connection.commit();
        }
    }

    private static void range(Connection connection, long start, long end, String text, long process)
            throws SQLException {
        insert(connection, "INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?)", start, end, text, process + 1);
    }

    private void launch(
            Connection connection, long process, int number, long called, long start, long dur, int device, int name)
            throws SQLException {
        insert(
                connection,
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?, ?, ?, ?, 1)",
                called,
                called + 1_000,
                process + 1,
                number);
        if (kernels) {
            insert(
                    connection,
                    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?, ?, ?, 7, ?, ?, ?)",
                    start,
                    start + dur,
                    device,
                    number,
                    process,
                    name);
        }
    }

    private static void insert(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }
}
