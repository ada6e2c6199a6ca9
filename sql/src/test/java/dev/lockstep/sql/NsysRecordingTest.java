// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.model.Diagnostics.Entry;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an export says of its own recording. */
class NsysRecordingTest {
    private static final String KERNELS = """
            CREATE TABLE StringIds (id INTEGER, value TEXT);
            INSERT INTO StringIds VALUES (1, 'gemm');
            CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,
                correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);
            INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 20, 0, 7, 1, 16777216, 1), (10, 30, 1, 7, 2, 33554432, 1);
            CREATE TABLE DIAGNOSTIC_EVENT (timestamp INTEGER, timestampType INTEGER, source INTEGER, severity INTEGER,
                text TEXT, globalPid INTEGER);
            """;

    @TempDir
    Path folder;

    private List<Trace> read(String sql) throws Exception {
        Path file = folder.resolve("a.sqlite");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate(KERNELS + sql);
        }
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {});
        }
    }

    private static List<String> said(Trace trace) {
        return trace.diagnostics().observations().stream()
                .map(entry -> entry.code() + " " + entry.count())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "Not all CUDA events might have been collected. | events_missing 1",
                "CUPTI buffer overflow: kernel activities were dropped | events_missing 1",
                "1234 CUDA events were dropped. | events_dropped 1234",
                "Number of dropped GPU events: 17 | events_dropped 17",
                "Number of dropped GPU events: 0 | -",
                "Number of CUDA events collected: 65,310. | -",
                "Some events were lost | events_missing 1",
                "CPU IP samples were lost | -",
                "Lost 12 context switch events | -",
                "CUDA profiling might have not been started correctly. | profiler_message 1",
                "Installed CUDA driver version (13.1) is not supported by this build of Nsight Systems. | profiler_message 1",
                "Driver 13.1 is not supported by this build. CUDA trace will be collected using libraries for driver 12.8 | -",
                "CPU context switch trace is not supported, disabling. | -",
                "Profiling has started. | -",
                "CUDA injection initialized successfully. | -",
                "Number of NVTX events collected: 120. | -"
            })
    void messagesThatBearOnWhatDevicesDidAreKept(String text, String code) throws Exception {
        List<Trace> traces = read("INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, '" + text + "', NULL);");

        for (Trace trace : traces) {
            assertThat(said(trace)).isEqualTo(code == null ? List.of() : List.of(code));
        }
        if (code != null) {
            Entry entry = traces.getFirst().diagnostics().observations().getFirst();
            assertThat(entry.message()).startsWith("Nsight Systems says: “" + text.replaceFirst("\\.$", ""));
        }
    }

    @Test
    void aMessageAboutAProcessIsAboutItsRank() throws Exception {
        List<Trace> traces =
                read("INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, '9 CUDA events were dropped', 33554432);");

        assertThat(said(traces.get(0))).isEmpty();
        assertThat(said(traces.get(1))).containsExactly("events_dropped 9");
    }

    @Test
    void tablesWithEventsThatAreNotReadAreNamed() throws Exception {
        String rows = String.format(
                Locale.ROOT,
                "CREATE TABLE %1$s (start INTEGER, end INTEGER); INSERT INTO %1$s VALUES (1, 2), (3, 4);"
                        + "CREATE TABLE SCHED_EVENTS (start INTEGER); INSERT INTO SCHED_EVENTS VALUES (1), (2), (3);"
                        + "CREATE TABLE EMPTY_EVENTS (start INTEGER);"
                        + "CREATE TABLE \"odd ' name\" (start INTEGER); INSERT INTO \"odd ' name\" VALUES (1);"
                        + "CREATE TABLE TARGET_INFO_PCIE (start INTEGER); INSERT INTO TARGET_INFO_PCIE VALUES (1);",
                "CUPTI_ACTIVITY_KIND_KERNEL_V3");
        Trace trace = read(rows).getFirst();

        assertThat(said(trace)).containsExactly("foreign_device_tables 2", "foreign_tables 3");
        assertThat(trace.diagnostics().observations())
                .extracting(Entry::message)
                .containsExactly(
                        "tables with events are not read: CUPTI_ACTIVITY_KIND_KERNEL_V3 (2 rows)",
                        "tables with events are not read: SCHED_EVENTS (3 rows)");
    }
}
