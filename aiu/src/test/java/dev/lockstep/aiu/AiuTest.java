// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import static dev.lockstep.testkit.AiuRuns.attr;
import static dev.lockstep.testkit.AiuRuns.cycles;
import static dev.lockstep.testkit.AiuRuns.flex;
import static dev.lockstep.testkit.AiuRuns.x;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.aiu.pipeline.AiuFormat;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pipeline as a program uses it. */
class AiuTest {
    @TempDir
    Path folder;

    private AiuOptions.Builder options = new AiuOptions.Builder();

    @BeforeEach
    void writeInput() throws IOException {
        Path input = Files.writeString(
                folder.resolve("in.json"),
                flex(x("mm_1 Cmpt Exec", 1000, 120, attr(cycles(0, 0, 0, 50000, 50000))), x("bad", 2000, -1, "")));
        options = new AiuOptions.Builder()
                .with(AiuOption.INPUT, input.toString())
                .with(AiuOption.OUTPUT, folder.resolve("a.json").toString())
                .with(AiuOption.SOC_MHZ, 500.0)
                .with(AiuOption.COUNTERS, List.of());
    }

    @Test
    void theResultNamesWhatWasWrittenAndWhatWasOdd() throws IOException {
        AiuResult result = new Aiu(options.build()).run();

        assertThat(result.files())
                .extracting(file -> String.valueOf(file.getFileName()))
                .containsExactlyInAnyOrder("a.json", "a.html", "a_summary.csv", "a_active.csv", "a_ts_analysis.csv");
        assertThat(result.files()).allMatch(Files::isRegularFile);
        assertThat(result.eventsRead()).isEqualTo(1);
        // The kernel, and three of metadata for its device.
        assertThat(result.eventsWritten()).isEqualTo(4);
        assertThat(result.complete()).isTrue();
        // 50,000 cycles in 120 us are 416.67 MHz, a sixth less than was said.
        assertThat(result.problemCount()).isEqualTo(3);
        assertThat(result.problems())
                .anyMatch(line -> line.startsWith("FREQ: Detected Event-duration-based frequency"))
                .anyMatch(line -> line.startsWith("FREQ: Detected Event-interval-based frequency"))
                .contains("Ingestion: detected negative duration event(s). Events ignored:1");
    }

    @Test
    void slicesThatLackADurationAreLeftOutAndSaid() throws IOException {
        Files.writeString(
                folder.resolve("in.json"),
                flex(
                        x("mm_1 Cmpt Prep", 900, 50, attr(cycles(0, 0, 0, 50000, 50000))),
                        "{\"ph\":\"X\",\"name\":\"mm_2 Cmpt Prep\",\"pid\":0,\"tid\":1,\"ts\":1000}"));

        AiuResult result =
                new Aiu(options.with(AiuOption.COUNTERS, List.of("prep_queue")).build()).run();

        assertThat(result.problems()).contains("Event failed sanityCheck:  dur is not in X mm_2 Cmpt Prep");
    }

    @Test
    void nothingIsWrittenWhereARunFails() throws IOException {
        Files.writeString(folder.resolve("in.json"), "[{");

        assertThatThrownBy(() -> new Aiu(options.build()).run()).hasMessageContaining("in.json");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void optionsThatContradictEachOtherAreRefused() {
        assertThatThrownBy(() -> new Aiu(options.with(AiuOption.COUNTERS, List.of("power_ts3", "power_ts4"))
                                .build())
                        .run())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("mutually exclusive");
        assertThatThrownBy(() -> new Aiu(options.with(AiuOption.COUNTERS, List.of())
                                .with(AiuOption.FORMAT, AiuFormat.PROTOBUF)
                                .build())
                        .run())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not supported");
        assertThatThrownBy(() -> new Aiu(options.with(AiuOption.FORMAT, AiuFormat.JSON)
                                .with(AiuOption.TENSOR_BOARD, true)
                                .with(AiuOption.OUTPUT, folder + "/a.pftrace")
                                .build())
                        .run())
                .isInstanceOf(UserException.class)
                .hasMessageContaining("TensorBoard");
    }

    @Test
    void optionsAreWhatTheyWereWhenTheyWereBuilt() {
        List<String> counters = new ArrayList<>(List.of("coll_bw"));
        AiuOptions built = options.with(AiuOption.COUNTERS, counters).build();
        counters.add("bandwidth");
        options.with(AiuOption.MAX_TID_STREAMS, 9);

        assertThat(built.counts("coll_bw")).isTrue();
        assertThat(built.counts("bandwidth")).isFalse();
        assertThat(built.get(AiuOption.MAX_TID_STREAMS)).isEqualTo(5);
        assertThat(built.toBuilder().build()).isEqualTo(built);
        assertThat(AiuOptions.of("x").counts("power_ts4")).isTrue();
        assertThat(AiuOptions.of("x").target()).isEqualTo("processed_trace.pt.trace.json");
        assertThat(AiuOptions.of("x").toBuilder()
                        .with(AiuOption.REFINE, false)
                        .build()
                        .target())
                .isEqualTo("processed_trace.json");
        assertThat(AiuOptions.of("x").profileName()).isEqualTo("default.json");
        assertThat(AiuOptions.of("x").toBuilder()
                        .with(AiuOption.VERIFY, true)
                        .build()
                        .profileName())
                .isEqualTo("verification.json");
        assertThat(AiuOptions.of("x").toBuilder()
                        .with(AiuOption.TENSOR_BOARD, true)
                        .build()
                        .profileName())
                .isEqualTo("torch_minimal.json");
    }

    @Test
    void aResultInPerfettosFormatIsKnownAsOneToo() throws IOException {
        new Aiu(options.with(AiuOption.OUTPUT, folder + "/b.pftrace").build()).run();

        AiuResult again = new Aiu(options.with(AiuOption.INPUT, folder + "/b.pftrace")
                        .with(AiuOption.OUTPUT, folder + "/c.json")
                        .build())
                .run();

        assertThat(again.eventsRead()).isZero();
        assertThat(again.problems()).anyMatch(line -> line.contains("had been processed by acelyzer already"));
    }

    @Test
    void theTraceRecordsItsOptions() throws IOException {
        new Aiu(options.with(AiuOption.COMMAND_LINE, "program -x")
                        .with(AiuOption.TIME_UNIT, "ms")
                        .with(AiuOption.MAX_TID_STREAMS, 3)
                        .build())
                .run();

        assertThat(Files.readString(folder.resolve("a.json")).replaceAll("\\s", ""))
                .contains("\"displayTimeUnit\":\"ms\"")
                .contains("\"CmdLine\":\"program-x\"")
                .contains("\"freq\":[500.0,1100.0]")
                .contains("\"max_tid_streams\":3")
                .contains("\"overlap\":\"tid\"")
                .contains("\"format\":\"json\"")
                .contains("\"counter\":[]")
                .contains("\"compiler_info\":null")
                .contains("\"event_limit\":{\"skip\":0,\"count\":1152921504606846976,\"ts_start\":0.0,")
                .contains("\"no_count_types\":\"M\"");
    }
}
