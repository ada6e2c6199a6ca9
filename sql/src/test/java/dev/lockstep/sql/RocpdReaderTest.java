// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.CounterValues;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.SyncDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceInput;
import dev.lockstep.session.Session;
import dev.lockstep.testkit.TraceDump;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RocpdReaderTest {
    private static final long HIP = 90;
    private static final long MARKER = 91;
    private static final long KERNEL = 92;

    @TempDir
    private Path folder = Path.of("");

    private List<Trace> read(Path file) throws IOException {
        try (Session session = new Session(1)) {
            return session.read(TraceInput.of(file), bytes -> {});
        }
    }

    private Trace readOne(MadeRocpd made, String name) throws IOException {
        List<Trace> traces = read(made.write(folder.resolve(name)));
        assertThat(traces).hasSize(1);
        return traces.getFirst();
    }

    private static MadeRocpd names(MadeRocpd made) {
        return made.text(1, "hipLaunchKernel")
                .text(2, "MEMORY_COPY_HOST_TO_DEVICE")
                .text(3, "roctxRangePushA")
                .text(4, "step")
                .category(HIP, "HIP_RUNTIME_API_EXT")
                .category(MARKER, "MARKER_CORE_API")
                .category(KERNEL, "KERNEL_DISPATCH")
                .process(28, 4711, 30, 4712)
                .device(7, 0)
                .device(8, 1)
                .kernelName(10, "_Z4gemmIfEvi.kd", "void gemm<float>(int)");
    }

    /** The same facts in every schema. */
    private static MadeRocpd world(String schema) {
        MadeRocpd made = names(new MadeRocpd(schema));
        made.region(28, 30, 1, 1_000, 1_500, HIP, 10, "{}");
        made.region(28, 30, 3, 900, 9_000, MARKER, 11, "{\"message\":\"forward\"}");
        made.region(28, 30, 4, 950, 950, MARKER, 12, "{}");
        long event = made.kernel(28, 8, 2, 10, 2_000, 2_600, KERNEL, 10);
        made.kernel(28, 8, 2, 99, 3_000, 3_100, KERNEL, 0);
        made.copy(28, 7, 1, 4, 2, 4_000, 4_200, 4096, 13);
        made.row("info_pmc", "id", 5, "agent_id", 8, "name", "SQ_WAVES", "symbol", "SQ_WAVES");
        made.row("pmc_event", "event_id", event, "pmc_id", 5, "value", 12.5);
        made.row("pmc_event", "event_id", event, "pmc_id", 5, "value", 7.5);
        made.allocation(28, 30, 7, "ALLOC", 100, 0x1000, 512);
        made.allocation(28, 30, 7, "FREE", 8_000, 0x1000, 0);
        return made;
    }

    @Test
    void everySchemaGivesTheSameTrace() throws IOException {
        String first = null;
        for (String schema : MadeRocpd.SCHEMAS) {
            Trace trace = readOne(world(schema), schema + "_results.db");
            String dump = TraceDump.of(trace);
            assertThat(dump).as(schema).isEqualTo(first == null ? dump : first);
            assertThat(trace.info().metadata())
                    .containsEntry("rocpd_schema", '"' + schema + '"')
                    .containsEntry("pid", "4711");
            first = dump;
        }
    }

    @Test
    void rowsAreKernelsCopiesCallsAndRanges() throws IOException {
        Trace trace = readOne(world("3.0.0"), "a_results.db");
        List<String> slices = new ArrayList<>();
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        for (int i = 0; i < trace.slices().size(); i++) {
            int row = details.of(i);
            slices.add(trace.slices().kind(i) + " " + trace.name(i) + " "
                    + trace.slices().ts(i) + "+"
                    + trace.slices().dur(i) + " #" + trace.slices().correlation(i)
                    + (row < 0
                            ? " " + trace.tracks().get(trace.slices().track(i)).threadName()
                            : " " + details.device(row) + "/" + details.stream(row) + " " + details.bytes(row)));
        }
        assertThat(slices)
                .containsExactly(
                        "ANNOTATION forward 900+8100 #11 thread 4712",
                        "RUNTIME_CALL hipLaunchKernel 1000+500 #10 thread 4712",
                        "KERNEL void gemm<float>(int) 2000+600 #10 1/2 -1",
                        "KERNEL unknown_kernel_99 3000+100 #-1 1/2 -1",
                        "MEMCPY MEMORY_COPY_HOST_TO_DEVICE 4000+200 #13 0/4 4096");
        int kernel = 2;
        assertThat(trace.strings().get(details.grid(details.of(kernel)))).isEqualTo("[128, 2, 1]");
        assertThat(trace.strings().get(details.block(details.of(kernel)))).isEqualTo("[64, 1, 1]");
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        assertThat(links.launchOf(kernel)).isEqualTo(1);
        assertThat(trace.strings().get(trace.marks().name(0))).isEqualTo("step");
        assertThat(trace.info().format()).isEqualTo("rocpd");
        assertThat(RecordingTool.of(trace).devices()).contains("rocprofv3");
        assertThat(trace.info().devices()).hasSize(2);
        assertThat(trace.diagnostics().problems()).isEmpty();
        assertThat(trace.diagnostics().observations()).anyMatch(o -> o.code().equals("name_missing"));
    }

    @Test
    void allocationsAndCountersAreMarks() throws IOException {
        Trace trace = readOne(world("3.0.3"), "a_results.db");
        MemoryDetails memory = Objects.requireNonNull(trace.view(MemoryDetails.KEY));
        assertThat(memory.size()).isEqualTo(2);
        assertThat(memory.bytes(0)).isEqualTo(512);
        assertThat(memory.bytes(1)).isEqualTo(-512);
        assertThat(memory.address(1)).isEqualTo(0x1000);
        CounterValues values = Objects.requireNonNull(trace.view(CounterValues.KEY));
        assertThat(values.size()).isEqualTo(1);
        int mark = values.mark(0);
        assertThat(trace.strings().get(trace.marks().name(mark))).isEqualTo("SQ_WAVES");
        assertThat(trace.marks().ts(mark)).isEqualTo(2_000);
        assertThat(trace.strings().get(values.values(0))).isEqualTo("{\"\": 20}");
    }

    /** Views of the recorder leave these out. */
    @Test
    void rowsWithoutEventThreadOrStreamCount() throws IOException {
        MadeRocpd made = names(new MadeRocpd("3.0.0"))
                .row("kernel_dispatch", "pid", 28, "agent_id", 8, "queue_id", 6, "kernel_id", 10, "start", 5, "end", 9)
                .row("region", "pid", 28, "start", 1, "end", 3, "name_id", 1);
        Trace trace = readOne(made, "a_results.db");
        assertThat(trace.slices().size()).isEqualTo(2);
        assertThat(trace.slices().kind(0)).isEqualTo(SliceKind.HOST_OTHER);
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        assertThat(details.stream(details.of(1))).isEqualTo(6);
    }

    /** One handle is recorded twice; each wait is for the recording before it, whatever the order of the rows. */
    @Test
    void waitsForEventsNameWhatRecordedThem() throws IOException {
        MadeRocpd made = names(new MadeRocpd("3.0.4")).text(50, "HIP_EVENT_RECORD").text(51, "HIP_EVENT_WAIT");
        made.event(28, 8, 2, 51, 0xE0, 500, 600, KERNEL, 12);
        made.event(28, 8, 3, 50, 0xE0, 300, 310, KERNEL, 13);
        made.event(28, 8, 1, 50, 0xE0, 100, 110, KERNEL, 11);
        made.event(28, 8, 4, 51, 0xE0, 700, 800, KERNEL, 14);
        Trace trace = readOne(made, "a_results.db");
        SyncDetails details = Objects.requireNonNull(trace.view(SyncDetails.KEY));
        List<String> waits = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            int row = details.of(i);
            waits.add(trace.name(i) + " " + trace.slices().kind(i) + " #"
                    + trace.slices().correlation(i) + " for #" + details.record(row, -1) + " on "
                    + details.stream(row));
        }
        assertThat(waits)
                .containsExactly(
                        "Stream Wait Event DEVICE_SYNC #12 for #11 on 1",
                        "Stream Wait Event DEVICE_SYNC #14 for #13 on 3");
    }

    @Test
    void nodesOfGraphsAreKnown() throws IOException {
        MadeRocpd made = names(new MadeRocpd("3.0.2"))
                .row(
                        "kernel_dispatch",
                        "pid",
                        28,
                        "agent_id",
                        8,
                        "stream_id",
                        0,
                        "kernel_id",
                        10,
                        "start",
                        5,
                        "end",
                        9,
                        "graph_exec_id",
                        77,
                        "graph_node_id",
                        3);
        GraphDetails graphs =
                Objects.requireNonNull(readOne(made, "a_results.db").view(GraphDetails.KEY));
        assertThat(graphs.graph(0)).isEqualTo(77);
        assertThat(graphs.node(0)).isEqualTo(3);
    }

    /** Two processes of one recording, and a second recording in the same file. */
    @Test
    void eachProcessIsARank() throws IOException {
        MadeRocpd first = names(new MadeRocpd("3.0.0")).process(29, 4713, 31, 4714);
        first.kernel(29, 8, 1, 10, 100, 200, KERNEL, 5);
        first.kernel(28, 7, 1, 10, 300, 450, KERNEL, 5);
        MadeRocpd second = names(new MadeRocpd("3.0.0", "zz003fdc-92cb-72cb-9169-c7e541b1fcdf"));
        second.kernel(28, 7, 1, 10, 500, 507, KERNEL, 5);
        List<Trace> traces = read(first.with(second).write(folder.resolve("a_results.db")));
        assertThat(traces.stream()
                        .map(trace -> trace.info().rank().index() + ": "
                                + trace.slices().dur(0)))
                .containsExactly("0: 150", "1: 100", "2: 7");
    }

    @Test
    void rowsThatCannotBeAreCounted() throws IOException {
        MadeRocpd made = names(new MadeRocpd("3.0.0"))
                .row("kernel_dispatch", "pid", 28, "agent_id", 8, "kernel_id", 10, "start", 9, "end", 5)
                .row("kernel_dispatch", "pid", 28, "agent_id", 8, "kernel_id", 10, "start", "soon", "end", 5)
                .row("kernel_dispatch", "pid", 28, "agent_id", 8, "kernel_id", 10, "start", 1, "end", 5);
        Trace trace = readOne(made, "a_results.db");
        assertThat(trace.slices().size()).isEqualTo(1);
        assertThat(trace.diagnostics().problems().stream().map(problem -> problem.code()))
                .containsExactlyInAnyOrder("negative_duration", "row_damaged");
    }

    @Test
    void aDamagedFileSaysWhereToGetAnother() throws IOException {
        Path file = world("3.0.0").write(folder.resolve("a_results.db"));
        byte[] bytes = Files.readAllBytes(file);
        Arrays.fill(bytes, 20_000, bytes.length, (byte) 0x5A);
        Files.write(file, bytes);
        assertThatThrownBy(() -> read(file))
                .isInstanceOf(TraceFormatException.class)
                .satisfies(e -> assertThat(((TraceFormatException) e).hint()).contains("rocprofv3"));
    }

    @Test
    void olderDatabasesOfAmdAreNamed() throws IOException, SQLException {
        Path file = folder.resolve("trace.db");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("CREATE TABLE rocpd_api (id INTEGER, start INTEGER)");
        }
        assertThatThrownBy(() -> read(file)).hasMessageContaining("rocmProfileData");
    }
}
