// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocprofTablesTest {
    private static final String CALLS =
            " (BeginNs INTEGER, EndNs INTEGER, pid INTEGER, tid INTEGER, Name TEXT, args TEXT, \"Index\" INTEGER)";
    private static final String TASKS = " (BeginNs INTEGER, EndNs INTEGER, \"dev-id\" INTEGER, \"queue-id\" INTEGER,"
            + " Name TEXT, pid INTEGER, tid INTEGER, \"roctx-range\" TEXT, \"stream-id\" INTEGER, \"Index\" INTEGER)";

    @TempDir
    private Path folder = Path.of("");

    private List<Trace> read(String... statements) throws IOException {
        Path file = folder.resolve("results.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.executeUpdate(sql);
            }
        } catch (SQLException e) {
            throw new IOException(e);
        }
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {});
        }
    }

    private static List<String> slices(Trace trace) {
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            int row = details.of(i);
            slices.add(trace.slices().kind(i) + " " + trace.name(i) + " "
                    + trace.slices().ts(i) + "+"
                    + trace.slices().dur(i)
                    + (row < 0
                            ? ""
                            : " " + details.device(row) + "/" + details.stream(row) + " by "
                                    + (links.launchOf(i) < 0 ? "nobody" : trace.name(links.launchOf(i)))));
        }
        return slices;
    }

    @Test
    void rowsAreJoinedByTheirIndex() throws IOException {
        List<Trace> traces = read(
                "CREATE TABLE HIP" + CALLS,
                "CREATE TABLE HSA" + CALLS,
                "CREATE TABLE rocTX" + CALLS,
                "CREATE TABLE OPS" + TASKS,
                "CREATE TABLE COPY" + TASKS,
                "CREATE TABLE KERN (\"Index\" INTEGER, KernelName TEXT, BeginNs INTEGER, EndNs INTEGER)",
                "INSERT INTO HIP VALUES (100, 150, 7, 9, 'hipLaunchKernel', '', 1), (200, 400, 7, 9, 'hipMemcpy', '', 2)",
                "INSERT INTO HSA VALUES (110, 120, 7, 9, 'hsa_signal_create', '', 1)",
                "INSERT INTO rocTX VALUES (90, 500, 7, 9, 'step', '', 0), (95, 96, 7, 9, 'here', '', 1)",
                "INSERT INTO OPS VALUES (160, 190, 1, 0, 'add(float*)', 7, 9, '', 3, 1),"
                        + " (191, 195, 1, 0, '\"<barrier packet>\"', 7, 9, '', 3, 5)",
                "INSERT INTO COPY VALUES (210, 390, 0, 0, 'CopyHostToDevice', 7, 9, '', 0, 2)",
                "INSERT INTO KERN VALUES (0, 'add', 160, 190)");
        assertThat(traces).hasSize(1);
        Trace trace = traces.getFirst();
        assertThat(trace.info().format()).isEqualTo("rocprof-sqlite");
        assertThat(slices(trace))
                .containsExactly(
                        "ANNOTATION step 90+410",
                        "RUNTIME_CALL hipLaunchKernel 100+50",
                        "DRIVER_CALL hsa_signal_create 110+10",
                        "KERNEL add(float*) 160+30 1/3 by hipLaunchKernel",
                        "DEVICE_SYNC \"<barrier packet>\" 191+4 1/3 by nobody",
                        "RUNTIME_CALL hipMemcpy 200+200",
                        "MEMCPY CopyHostToDevice 210+180 0/0 by hipMemcpy");
        assertThat(trace.strings().get(trace.marks().name(0))).isEqualTo("here");
        assertThat(trace.diagnostics().problems()).isEmpty();
    }

    @Test
    void kernelsAloneAreRead() throws IOException {
        Trace trace = read(
                        "CREATE TABLE KERN (\"Index\" INTEGER, KernelName TEXT, \"gpu-id\" INTEGER, \"queue-id\" INTEGER,"
                                + " pid INTEGER, BeginNs INTEGER, EndNs INTEGER)",
                        "INSERT INTO KERN VALUES (0, 'add', 2, 1, 7, 160, 190), (1, 'mul', 2, 1, 7, 200, 240)")
                .getFirst();
        assertThat(slices(trace)).containsExactly("KERNEL add 160+30 2/1 by nobody", "KERNEL mul 200+40 2/1 by nobody");
    }

    @Test
    void eachProcessIsARank() throws IOException {
        List<Trace> traces = read(
                "CREATE TABLE OPS" + TASKS,
                "INSERT INTO OPS VALUES (160, 190, 0, 0, 'a', 7, 9, '', 0, 1), (170, 199, 1, 0, 'b', 8, 9, '', 0, 1)");
        assertThat(traces).hasSize(2);
        assertThat(traces.get(1).name(0)).isEqualTo("b");
    }
}
