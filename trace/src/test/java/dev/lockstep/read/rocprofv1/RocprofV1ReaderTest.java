// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.rocprofv1;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.read.TraceReader;
import dev.lockstep.testkit.TestTraces;
import dev.lockstep.testkit.TraceReaderContract;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

public class RocprofV1ReaderTest extends TraceReaderContract {
    /** What the file counts from, on the clock of the machine. */
    private static final long START = 7_000_000_123L;

    private static final String HEAD = """
            {"traceEvents":[{}
            ,{"args":{"name":"CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":0}
            ,{"args":{"name":"COPY"},"ph":"M","pid":1,"name":"process_name","sort_index":1}
            ,{"args":{"name":"GPU1"},"ph":"M","pid":7,"name":"process_name","sort_index":2}
            """;

    private static String slice(String name, int section, int lane, long begin, long end, String more) {
        return ",{\"ph\":\"X\",\"name\":\"" + name + "\",\"pid\":\"" + section + "\",\"tid\":\"" + lane + "\",\"ts\":\""
                + begin / 1000 + "\",\"dur\":\"" + (end - begin) / 1000 + "\",\"args\":{\"BeginNs\":\""
                + (START + begin)
                + "\",\"EndNs\":\"" + (START + end) + "\",\"Name\":\"" + name
                + "\",\"pid\":\"77\",\"tid\":\"99\",\"Data\":\"\"" + more + "}}\n";
    }

    private static String arrow(String phase, int id, int section, int lane, String ts) {
        return ",{\"ts\":" + ts + ",\"ph\":\"" + phase + "\",\"cat\":\"DataFlow\",\"id\":" + id + ",\"pid\":" + section
                + ",\"tid\":" + lane + ",\"name\":\"dep\"}\n";
    }

    private static String file() {
        return HEAD
                + slice("hipMemcpy", 2, 99, 100_700, 300_900, ",\"args\":\"( dst(0x1) sizeBytes(4000) )\"")
                + slice("CopyHostToDevice", 1, 0, 120_400, 280_600, ",\"dev-id\":\"1\",\"stream-id\":\"0\"")
                + slice("hipLaunchKernel", 2, 99, 400_300, 410_800, ",\"args\":\"( kernel(add) )\"")
                + slice("add(float*)", 7, 3, 420_999, 520_100, ",\"dev-id\":\"1\",\"stream-id\":\"3\"")
                + slice("<barrier packet>", 519, 3, 530_000, 531_000, ",\"dev-id\":\"1\",\"stream-id\":\"3\"")
                + slice("step", 0, 99, 50_000, 600_000, "")
                + arrow("s", 0, 2, 99, "200.5")
                + arrow("t", 0, 1, 0, "120")
                + arrow("s", 1, 2, 99, "405.0")
                + arrow("t", 1, 7, 3, "420")
                + "],\"otherData\":{\"CMD\":\"rocminfo\"}}\n";
    }

    @Override
    protected TraceReader reader() {
        return new RocprofV1Reader();
    }

    @Override
    protected List<Sample> samples() {
        return List.of(new Sample("results", file().getBytes(UTF_8), new int[0]));
    }

    @Test
    void sectionsTellWhatSlicesAre() throws IOException {
        Trace trace = TestTraces.read(file().getBytes(UTF_8));
        assertThat(trace.info().format()).isEqualTo("rocprof-json");
        DeviceDetails details = Objects.requireNonNull(trace.view(DeviceDetails.KEY));
        List<String> slices = new ArrayList<>();
        for (int i = 0; i < trace.slices().size(); i++) {
            int row = details.of(i);
            slices.add(trace.slices().kind(i) + " " + trace.name(i) + " "
                    + (trace.slices().ts(i) - START) + "+" + trace.slices().dur(i)
                    + (row < 0 ? "" : " " + details.device(row) + "/" + details.stream(row)));
        }
        assertThat(slices)
                .containsExactly(
                        "ANNOTATION step 50000+550000",
                        "RUNTIME_CALL hipMemcpy 100700+200200",
                        "MEMCPY CopyHostToDevice 120400+160200 1/0",
                        "RUNTIME_CALL hipLaunchKernel 400300+10500",
                        "KERNEL add(float*) 420999+99101 1/3",
                        "DEVICE_SYNC <barrier packet> 530000+1000 1/3");
    }

    /** Arrows count in whole microseconds from where the file begins, slices know the nanosecond. */
    @Test
    void arrowsJoinCallsAndTheirTasks() throws IOException {
        Trace trace = TestTraces.read(file().getBytes(UTF_8));
        LaunchLinks links = new DerivedCache(trace).get(new LaunchLinks.Key(LaunchRule.CORRELATION));
        assertThat(trace.name(links.launchOf(TestTraces.slice(trace, "CopyHostToDevice"))))
                .isEqualTo("hipMemcpy");
        assertThat(trace.name(links.launchOf(TestTraces.slice(trace, "add(float*)"))))
                .isEqualTo("hipLaunchKernel");
        assertThat(trace.flows().size()).isEqualTo(4);
    }

    @Test
    void aDamagedEventCostsItself() throws IOException {
        Trace trace = TestTraces.read(file().replace("\"tid\":\"0\",\"ts\":\"120\"", "\"tid\":\"0\" \"ts\":\"120\"")
                .getBytes(UTF_8));
        assertThat(trace.slices().size()).isEqualTo(5);
        assertThat(trace.diagnostics().problems())
                .anyMatch(problem -> problem.code().equals("syntax"));
    }

    @Test
    void aFileThatWasCutIsReadUpToTheCut() throws IOException {
        String text = file();
        Trace trace =
                TestTraces.read(text.substring(0, text.indexOf("<barrier")).getBytes(UTF_8));
        assertThat(trace.slices().size()).isEqualTo(4);
        assertThat(trace.diagnostics().problems())
                .anyMatch(problem -> problem.code().equals("truncated"));
    }
}
