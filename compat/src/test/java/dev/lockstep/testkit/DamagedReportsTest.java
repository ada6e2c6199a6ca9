// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.compat.tracelens.TraceLensReport;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.read.flex.FlexReaderTest;
import dev.lockstep.read.perfetto.PerfettoReaderTest;
import dev.lockstep.read.rocprof.RocprofReaderTest;
import dev.lockstep.read.torch.TorchTraceReaderTest;
import dev.lockstep.reporting.PerformanceReport;
import dev.lockstep.testkit.Mutations.Mutation;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reports of damaged traces come to an end and have something to say, whatever the format. */
class DamagedReportsTest {
    private static final int COPIES = 60;

    static Stream<Named<TraceReaderContract>> formats() {
        return Stream.of(
                        new TorchTraceReaderTest(),
                        new RocprofReaderTest(),
                        new FlexReaderTest(),
                        new PerfettoReaderTest())
                .map(contract -> Named.of(contract.reader().format().id(), contract));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void bothReportsComeToAnEnd(TraceReaderContract contract) throws IOException {
        int read = 0;
        for (TraceReaderContract.Sample sample : contract.samples()) {
            List<Mutation> mutations =
                    Mutations.random(sample.content(), 11, COPIES).toList();
            for (Mutation mutation : mutations) {
                for (Trace trace : readable(contract, mutation)) {
                    read++;
                    assertThat(PerformanceReport.of(trace, ReportOptions.standard())
                                    .sections())
                            .as(mutation.name())
                            .isNotEmpty();
                    assertThat(TraceLensReport.of(trace, ReportOptions.standard())
                                    .sections())
                            .as(mutation.name())
                            .isNotEmpty();
                }
            }
        }
        assertThat(read).isGreaterThan(COPIES / 4);
    }

    private static List<Trace> readable(TraceReaderContract contract, Mutation mutation) throws IOException {
        try {
            return contract.read(mutation.content(), 1);
        } catch (TraceFormatException refused) {
            return List.of();
        }
    }
}
