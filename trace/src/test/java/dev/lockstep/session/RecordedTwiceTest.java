// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which files of a folder say again what another one says. */
class RecordedTwiceTest {
    private static List<Path> paths(String names) {
        return Stream.of(names.split(" ")).map(Path.of("run")::resolve).toList();
    }

    @ParameterizedTest
    @CsvSource({
        // JAX's folder: the profile, its two copies
        "a.xplane.pb a.trace.json.gz perfetto_trace.json.gz, a.xplane.pb",
        "a.xplane.pb.gz a.trace.json.gz, a.xplane.pb.gz",
        // of two hosts, one without its profile
        "a.xplane.pb a.trace.json.gz b.trace.json.gz, a.xplane.pb b.trace.json.gz",
        "a.trace.json.gz perfetto_trace.json.gz, a.trace.json.gz perfetto_trace.json.gz",
        "rank0.json.gz rank1.json.gz, rank0.json.gz rank1.json.gz",
        // of Nsight Systems, exported or not
        "r1.nsys-rep r1.sqlite r2.nsys-rep, r1.sqlite r2.nsys-rep",
        "r1.qdrep r1.sqlite, r1.sqlite",
        // of Ascend's profiler
        "a_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json a_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db"
                + " a_ascend_pt/ASCEND_PROFILER_OUTPUT/communication.json a_ascend_pt/profiler_info_0.json"
                + " a_ascend_pt/PROF_1/host/sqlite/api_event.db b.json,"
                + " a_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json b.json",
        "a_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db a_ascend_pt/ASCEND_PROFILER_OUTPUT/analysis.db,"
                + " a_ascend_pt/ASCEND_PROFILER_OUTPUT/ascend_pytorch_profiler_0.db",
        "PROF_1/device_0/sqlite/hwts.db PROF_1/msprof_1.db, PROF_1/msprof_1.db",
    })
    void copiesOfAProfileAreLeftOut(String found, String left) {
        assertThat(RecordedTwice.without(paths(found))).containsExactlyElementsOf(paths(left));
    }

    @ParameterizedTest
    @CsvSource({"one/a.xplane.pb, two/a.trace.json.gz", "one/a.xplane.pb, two/perfetto_trace.json.gz"})
    void aProfileSaysNothingOfOtherFolders(String profile, String other) {
        List<Path> both = List.of(Path.of(profile), Path.of(other));
        assertThat(RecordedTwice.without(both)).isEqualTo(both);
    }
}
