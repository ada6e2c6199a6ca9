// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.PrefixedSource;
import dev.lockstep.codec.StreamSource;
import dev.lockstep.model.Diagnostics;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.ReadOptions;
import dev.lockstep.read.TraceInput;
import dev.lockstep.read.xplane.XPlaneReader;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.BoolColumn;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.testkit.Message;
import dev.lockstep.testkit.XlaRecording;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class JaxReportTest {
    private static final long US = 1_000_000; // ps

    private static Message array(long... dimensions) {
        Message shape = new Message().number(2, 16);
        for (long dimension : dimensions) {
            shape.number(3, dimension);
        }
        return shape;
    }

    private static Message instruction(long id, String name, String opcode, Message shape) {
        return new Message().text(1, name).text(2, opcode).message(3, shape).number(35, id);
    }

    /** A convolution of two steps on GPU 7, and a copy on GPU 0. */
    private static List<Trace> ranks() throws IOException {
        Message tuple =
                new Message().number(2, 13).message(4, array(1, 8, 3, 3)).message(4, array(64));
        Message computation = new Message()
                .message(2, instruction(1, "p0", "parameter", array(1, 4, 4, 4)))
                .message(2, instruction(2, "p1", "parameter", array(8, 4, 2, 2)))
                .message(
                        2,
                        instruction(3, "cudnn-conv.1", "custom-call", tuple)
                                .text(28, "__cudnn$convForward")
                                .number(36, 1)
                                .number(36, 2));
        XlaRecording recording = new XlaRecording()
                .program("jit_f", 3, new Message().message(1, new Message().message(3, computation)))
                .plane(0, "/device:GPU:0", Map.of())
                .line("/device:GPU:0", 5, "Stream #5(MemcpyD2D)", 0)
                .event("/device:GPU:0", 5, "CopyDeviceToDevice", 10 * US, 4 * US, Map.of())
                .plane(7, "/device:GPU:7", Map.of())
                .line("/device:GPU:7", 1, "Stream #1(Kernel)", 0);
        Map<String, Object> conv = Map.of("hlo_op", "cudnn-conv.1", "hlo_module", "jit_f", "program_id", 3L);
        recording.event("/device:GPU:7", 1, "Im2Col", 20 * US, 2 * US, conv);
        recording.event("/device:GPU:7", 1, "Im2Col", 26 * US, 4 * US, conv);
        recording.event("/device:GPU:7", 1, "loop_fusion_3", 30 * US, 10 * US, Map.of());
        byte[] bytes = recording.xplane();
        PrefixedSource content = new PrefixedSource(bytes, new StreamSource(InputStream.nullInputStream()));
        return new XPlaneReader()
                .read(TraceInput.of(Path.of("")), content, new Diagnostics(), ReadOptions.sequential());
    }

    private static Table sheet(Report report, String name) {
        return report.sections().stream()
                .filter(TableSection.class::isInstance)
                .map(section -> ((TableSection) section).table())
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name));
    }

    private static List<Object> column(Table table, String header) {
        int column = table.schema().indexOf(header);
        return IntStream.range(0, table.rows())
                .<Object>mapToObj(row -> switch (table.columns().get(column)) {
                    case LongColumn numbers -> numbers.get(row);
                    case DoubleColumn numbers -> table.shown(column, row);
                    case StringColumn texts -> String.valueOf(texts.get(row));
                    case BoolColumn flags -> flags.get(row);
                })
                .toList();
    }

    @Test
    void oneReportHasAllDevicesOfTheHost() throws IOException {
        List<Trace> ranks = ranks();
        assertThat(ranks).hasSize(2);
        Report report = JaxReport.of(ranks, ReportOptions.standard());
        Table timeline = sheet(report, "gpu_timeline");
        assertThat(column(timeline, "gpu_pid").subList(7, 9)).containsExactly(8L, 1L);
        assertThat((Double) column(timeline, "time ms").getFirst()).isCloseTo(0.016, within());
        Table conv = sheet(report, "op_conv");
        assertThat(column(conv, "param: filter_shape")).containsExactly("(2, 2)");
        assertThat(column(conv, "param: output_shape")).containsExactly("(1, 8, 3, 3)");
        assertThat((Double) column(conv, "GFLOPS_first").getFirst()).isCloseTo(2 * 72 * 4 / 1e9, within());
        assertThat((Double) column(conv, "Data Moved (MB)_first").getFirst())
                .isCloseTo((64 + 4 + 72) * 2.0 / (1 << 20), within());
        assertThat(column(sheet(report, "kernel_launchers"), "UID")).containsExactly(1L, 2L, 3L);
        assertThat(column(sheet(report, "xla_summary"), "name")).containsExactly("loop_fusion_");
        assertThat(column(sheet(report, "kernel_launchers_summary_by_category"), "op category"))
                .containsExactly(JaxKernel.OF_XLA, "Conv");
    }

    private static Offset<Double> within() {
        return Offset.offset(1e-12);
    }
}
