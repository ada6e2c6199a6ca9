// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.options.ReportOptions;
import dev.lockstep.report.Chart.Points;
import dev.lockstep.report.Chart.Scatter;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.testkit.TestTraces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Counters are drawn with the values that they have. */
class CounterChartsTest {
    private static final String KERNEL =
            "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k\",\"pid\":0,\"tid\":7,\"ts\":100,\"dur\":60,\"args\":{\"device\":0,\"stream\":7}}";

    private static String sample(String process, String name, double us, String args) {
        return String.format(
                Locale.ROOT,
                "{\"ph\":\"C\",\"name\":\"%s\",\"pid\":\"%s\",\"ts\":%.3f,\"args\":{%s}},",
                name,
                process,
                us,
                args);
    }

    private static List<Scatter> charts(String samples) throws IOException {
        return PerformanceReport.of(
                        TestTraces.read(
                                ("{\"traceEvents\":[" + samples + KERNEL + "]}").getBytes(StandardCharsets.UTF_8)),
                        ReportOptions.standard())
                .sections()
                .stream()
                .filter(ChartSection.class::isInstance)
                .map(section -> ((ChartSection) section).chart())
                .filter(Scatter.class::isInstance)
                .map(Scatter.class::cast)
                .filter(chart -> chart.x().label().equals("ms since the first slice"))
                .toList();
    }

    @Test
    void aCounterIsAPictureWithALineForEachDevice() throws IOException {
        List<Scatter> charts = charts(sample("GPU 0 Counters", "sm %", 300, "\"\":5")
                + sample("GPU 1 Counters", "sm %", 100, "\"\":1.5")
                + sample("GPU 0 Counters", "sm %", 200, "\"\":-2")
                + sample("HBM", "Read(MB/s)", 100, "\"a\":1,\"b\":2")
                + sample("HBM", "Read(MB/s)", 1100, "\"a\":3,\"b\":2"));

        // b never changes
        assertThat(charts).extracting(Scatter::title).containsExactly("Read(MB/s) a", "sm %");
        assertThat(charts.getFirst().y().label()).isEqualTo("Read(MB/s) a");
        assertThat(charts.getFirst().series()).singleElement().satisfies(line -> {
            assertThat(line.x()).containsExactly(0, 1);
            assertThat(line.y()).containsExactly(1, 3);
        });
        List<Points> lines = charts.getLast().series();
        assertThat(lines).extracting(Points::name).containsExactly("GPU 0 Counters", "GPU 1 Counters");
        assertThat(lines.getFirst().x()).containsExactly(0.1, 0.2);
        assertThat(lines.getFirst().y()).containsExactly(-2, 5);
    }

    @Test
    void ofManySamplesNoExtremeIsLost() throws IOException {
        Random random = new Random(7);
        StringBuilder samples = new StringBuilder();
        double[] values = new double[5000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i == 3333 ? 1e6 : random.nextInt(1000);
            samples.append(sample("GPU 0", "power W", 100 + i, "\"\":" + values[i]));
        }

        Points line = charts(samples.toString()).getFirst().series().getFirst();

        assertThat(line.y()).hasSizeLessThanOrEqualTo(300);
        assertThat(Arrays.stream(line.y()).max()).hasValue(1e6);
        assertThat(Arrays.stream(line.y()).min())
                .hasValue(Arrays.stream(values).min().orElseThrow());
        assertThat(line.x()).isSorted();
        for (int i = 0; i < line.x().length; i++) {
            assertThat(values[(int) Math.round(line.x()[i] * 1000)]).isEqualTo(line.y()[i]);
        }
        assertThat(line.labels()).hasSize(line.x().length).containsOnly("power W");
    }

    @Test
    void whatIsCountedNowhereIsNoPicture() throws IOException {
        assertThat(charts("")).isEmpty();
    }
}
