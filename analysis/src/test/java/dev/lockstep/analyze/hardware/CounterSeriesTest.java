// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.hardware.CounterSeries.OperatorRow;
import dev.lockstep.analyze.hardware.CounterSeries.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CounterSeriesTest {
    private static String sample(int device, String counter, int ts, String arguments) {
        return "{\"ph\": \"C\", \"name\": \"" + counter + "\", \"pid\": " + (100 + device) + ", \"ts\": " + ts
                + ", \"args\": {" + arguments + "}}";
    }

    private static String process(int device) {
        return "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": " + (100 + device)
                + ", \"args\": {\"name\": \"GPU " + device + " Counters\"}}";
    }

    private static List<String> work(String operator, int device, int correlation, int ts, int dur) {
        String host = "\"pid\": 9, \"tid\": 9, \"ts\": ";
        return List.of(
                "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"" + operator + "\", " + host + correlation * 10
                        + ", \"dur\": 8}",
                "{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", " + host
                        + (correlation * 10 + 1) + ", \"dur\": 2, \"args\": {\"correlation\": " + correlation + "}}",
                "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\", \"pid\": " + device + ", \"tid\": 7, \"ts\": "
                        + ts
                        + ", \"dur\": " + dur + ", \"args\": {\"device\": " + device
                        + ", \"stream\": 7, \"correlation\": " + correlation + "}}");
    }

    private static CounterSeries.Result counters(List<String> events) {
        return new CounterSeries(AnalysisRules.standard())
                .run(new DerivedCache(TestTraces.of(String.join(",", events))));
    }

    /** A plateau of 80 while mm runs from 1000 to 2000, of 20 while add does until 3000; the sample at 1950 sees both. */
    @Test
    void samplesBelongToWhatRunsUntilTheNext() {
        List<String> events = new ArrayList<>(List.of(process(0), process(1)));
        events.addAll(work("aten::mm", 0, 1, 1000, 1000));
        events.addAll(work("aten::add", 0, 2, 2000, 1000));
        events.addAll(work("aten::other", 1, 3, 0, 5000));
        for (int ts = 950; ts < 4000; ts += 100) {
            int value = ts < 950 + 100 || ts >= 3000 ? 0 : ts < 2000 ? 80 : 20;
            events.add(sample(0, "sm__throughput", ts, "\"\": " + value));
        }

        CounterSeries.Result result = counters(events);

        Row series = result.rows().getFirst();
        assertThat(series.name()).isEqualTo(new CounterSeries.Name("GPU 0 Counters", "sm__throughput", ""));
        assertThat(series.values().count()).isEqualTo(31);
        assertThat(series.intervalNs()).isEqualTo(100_000);
        assertThat(result.operators()).extracting(OperatorRow::operator).containsExactly("aten::add", "aten::mm");
        OperatorRow add = result.operators().getFirst();
        assertThat(List.of(add.samples(), add.alone())).containsExactly(11, 10);
        assertThat(add.values().mean()).isEqualTo((10 * 20 + 80) / 11.0);
        OperatorRow mm = result.operators().get(1);
        assertThat(List.of(mm.samples(), mm.alone())).containsExactly(11, 10);
        assertThat(mm.values().median()).isEqualTo(80);
    }

    @Test
    void samplesOfOneMomentCountByTheirValues() {
        List<String> events = new ArrayList<>(work("aten::mm", 0, 1, 1000, 1000));
        List<String> samples = List.of(
                sample(0, "sm", 900, "\"\": 1"),
                sample(0, "sm", 950, "\"\": 70"),
                sample(0, "sm", 950, "\"\": 30"),
                sample(0, "sm", 2500, "\"\": -1"));
        List<String> turned = new ArrayList<>(events);
        events.addAll(samples);
        turned.addAll(samples.reversed());
        assertThat(counters(events).operators()).isEqualTo(counters(turned).operators());
        assertThat(counters(events).operators())
                .singleElement()
                .satisfies(row -> assertThat(row.values().max()).isEqualTo(70));
    }

    @Test
    void manyActivitiesAtOnceCostNoTimeForEverySample() {
        List<String> events = new ArrayList<>(List.of(process(0)));
        int n = 20_000;
        for (int i = 1; i <= n; i++) {
            events.addAll(work("aten::mm" + i % 2, 0, i, i * 10 + 5, n * 10));
            events.add(sample(0, "sm", n * 10 + i, "\"\": " + i));
        }
        assertThat(counters(events).operators())
                .extracting(row -> row.operator() + " " + row.samples() + " " + row.alone())
                .containsExactly("aten::mm0 20000 0", "aten::mm1 20000 0");
    }

    /** Kineto writes the name of the device where others write the number of a process. */
    private static List<String> sampledByKineto(int device) {
        return List.of(
                "{\"ph\": \"C\", \"name\": \"sm\", \"pid\": \"GPU " + device
                        + " Counters\", \"ts\": 1000, \"args\": {\"\": 7}}",
                "{\"ph\": \"C\", \"name\": \"sm\", \"pid\": \"GPU " + device
                        + " Counters\", \"ts\": 1100, \"args\": {\"\": 9}}");
    }

    @Test
    void countersOfADeviceAreNotThoseOfTheWorkOfAnother() {
        List<String> events = new ArrayList<>(work("aten::mm", 0, 1, 1000, 1000));
        events.addAll(sampledByKineto(0));
        events.addAll(sampledByKineto(1));

        CounterSeries.Result result = counters(events);

        assertThat(result.rows())
                .extracting(row -> row.name().process())
                .containsExactly("GPU 0 Counters", "GPU 1 Counters");
        assertThat(result.operators())
                .singleElement()
                .satisfies(row -> assertThat(row.name().process()).isEqualTo("GPU 0 Counters"));
    }

    /** A process that sees one device calls it the first; the recorder knows it by another number. */
    @Test
    void theOnlyCountersAreOfTheOnlyDevice() {
        List<String> events = new ArrayList<>(work("aten::mm", 0, 1, 1000, 1000));
        events.addAll(sampledByKineto(5));

        assertThat(counters(events).operators())
                .singleElement()
                .satisfies(row -> assertThat(row.samples()).isEqualTo(2));
    }

    @Test
    void eachNumberOfAnEventIsASeries() {
        CounterSeries.Result result = counters(List.of(
                sample(0, "HBM", 5, "\"Read(MB/s)\": 1.5, \"Write(MB/s)\": \"x\", \"unit\": \"MB\""),
                sample(0, "HBM", 3, "\"Read(MB/s)\": 2.5, \"Write(MB/s)\": 4")));

        assertThat(result.rows())
                .extracting(row -> row.name().value() + " " + row.values().mean())
                .containsExactly("Read(MB/s) 2.0", "Write(MB/s) 4.0");
        assertThat(result.operators()).isEmpty();
    }

    @Test
    void withoutCountersTheReasonIsSaid() {
        assertThat(counters(work("aten::mm", 0, 1, 1000, 1000)).notApplicable()).isEqualTo("the trace has no counters");
    }
}
