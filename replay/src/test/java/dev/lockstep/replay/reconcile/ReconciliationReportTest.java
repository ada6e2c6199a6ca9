// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.power.PowerSeries;
import dev.lockstep.replay.Replay;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.ChartSection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Golden case of {@code replay compare} and {@code replay energy}. Two steps; of one step, in us:
 *
 * <pre>
 *                 calls  alone  in order  recorded
 * aten::mm            4    100       110       120
 * aten::add           2     50         -        60
 * c10d::allreduce_    1      -         -       100
 * step                                        1000, busy 700, sum of activities 750
 * </pre>
 *
 * {@code aten::mm} ran 40 times within a second at 60 W, 10 W of them at rest.
 */
class ReconciliationReportTest {
    private static final String RESULT = """
        {"format": "lockstep-replay-result", "version": 1, "steps": 2, "in_order": {"calls": 7, "passes": 3},
         "operators": [
          {"id": 0, "name": "aten::mm", "shapes": [[4, 4]], "types": ["float32"], "values": [null], "status": "ran",
           "executed": 40, "queued": 40, "host": {"median_ns": 7}, "device": {"median_ns": 100000}, "in_order": {"median_ns": 110000},
           "window": {"start_ns": 1000000000, "end_ns": 2000000000}, "calls": 8, "calls_per_step": 4,
           "recorded_device_ns": 960000},
          {"id": 1, "name": "aten::add", "shapes": [[4]], "types": ["float32"], "values": [null], "status": "ran",
           "executed": 40, "queued": 40, "device": {"median_ns": 50000}, "calls": 4, "calls_per_step": 2,
           "recorded_device_ns": 240000},
          {"id": 2, "name": "c10d::allreduce_", "status": "not-run", "reason": "collective", "calls": 2,
           "calls_per_step": 1, "recorded_device_ns": 200000}]}
        """;

    private static final long S = 1_000_000_000;

    @TempDir
    Path folder;

    private static MeasuredParts parts() throws IOException {
        return ReplayResultFile.read((Members) Json.parse(RESULT), "result.json");
    }

    /** Constant power, sampled ten times a second from 0 to 3 s. */
    private static PartsPower power(double watts, double idle) {
        long[] ns = new long[31];
        double[] samples = new double[ns.length];
        for (int i = 0; i < ns.length; i++) {
            ns[i] = i * S / 10;
        }
        Arrays.fill(samples, watts);
        return new PartsPower(List.of(new PowerSeries("gpu0", ns, samples, new double[0])), idle, List.of());
    }

    private static WholeSources whole(double joules) {
        RecordedSteps steps = new RecordedSteps("trace.json", 2, 2_000_000, 1_400_000, 1_500_000, true);
        Whole beside = new Whole("", Double.NaN, joules, Whole.Activity.UNKNOWN);
        return new WholeSources(beside, new WholeSources.Recorded(steps, null), null, Double.NaN, 0);
    }

    private static Report compared() throws IOException {
        return ReconciliationReport.of(
                Replay.compare(parts(), whole(10), power(60, 10)),
                List.of(new Finding(Severity.INFO, "claim", "Somebody said so.", "")));
    }

    @Test
    void factsAreOfOnePassAndOfTheRecording() throws IOException {
        assertThat(ReportText.facts(compared())).isEqualTo("""
            parts: 3 (kernels or operators that were to be measured alone)
            passes in the recording: 2 (told from annotations)
            parts, whole recording: 1.000 ms (time alone times calls)
            parts, one pass: 0.500 ms (the same for one pass)
            whole, one pass: 1.000 ms (trace.json)
            energy of parts, one pass: 5.000 J (± 0.000 J from sampling)
            energy of the whole, one pass: 10.00 J
            """);
    }

    @Test
    void findingsSayWhatTheNumbersMean() throws IOException {
        assertThat(ReportText.findings(compared())).isEqualTo("""
            INFO claim: Somebody said so.
            NOTICE unit_mismatch: The trace holds 2 passes (from annotations). Its sum of 1.000 ms is that of 2 passes. \
            Compared with one pass it would look 0 % off. One pass takes 0.500 ms.
            NOTICE explained_share: The parts make up 50 % of a pass: 0.500 ms of 1.000 ms. The largest part of the \
            difference is launch gaps, 0.300 ms.
            NOTICE energy_missing: The energy of 2 of 3 parts is unknown: no window, or no power in it.
            NOTICE energy_sparse: The windows of 1 of 1 parts hold fewer than 20 samples of power. Longer ones hold \
            more: lockstep replay run --window 2550.
            INFO energy_between: 1 of 1 parts ran in less than half of their window. Their energy includes what the \
            device takes between executions.
            NOTICE energy_share: The parts make up 50 % of the energy of a pass: 5.000 J ± 0.000 J of 10.00 J. 10.00 \
            W of idle power are subtracted.
            """);
    }

    @Test
    void contributionsAddUpToTheWhole() throws IOException {
        assertThat(ReportText.sheet(compared(), "contributions", folder)).isEqualTo("""
            contribution,ms,share %,how
            parts alone,0.5,50,time alone times calls of one pass
            cache effects,0.04,4,time in recorded order less time alone: caches and memory as the neighbours leave \
            them; of 1 of 2 measured parts
            other conditions in the recording,0.06,6,"recorded time of the same calls less their time in recorded \
            order: clocks, what else ran"
            not replayed,0.1,10,recorded time of the parts that were not measured
            device work of no listed part,0.05,5,sum of all device activities less recorded time
            overlap,-0.05,-5,time with any activity less the sum of all durations
            launch gaps,0.3,30,step without any device activity
            """);
    }

    @Test
    void theWaterfallShowsTheSameInMilliseconds() throws IOException {
        Chart chart = compared().sections().stream()
                .filter(ChartSection.class::isInstance)
                .map(section -> ((ChartSection) section).chart())
                .findFirst()
                .orElseThrow();
        Chart.Waterfall waterfall = (Chart.Waterfall) chart;
        assertThat(waterfall.from()).isEqualTo(0.5);
        assertThat(waterfall.steps())
                .extracting(Chart.Contribution::value)
                .containsExactly(0.04, 0.06, 0.1, 0.05, -0.05, 0.3);
    }

    @Test
    void kindsSumTheirParts() throws IOException {
        assertThat(ReportText.sheet(compared(), "kinds", folder)).isEqualTo("""
            kind,parts,calls,all ms,pass ms,time %,all J,pass J
            ran,2,12,1,0.5,100,10,5
            not-run,1,2,0,0,0,,
            """);
    }

    @Test
    void partsComeWithTheLongestSumFirst() throws IOException {
        assertThat(ReportText.sheet(compared(), "parts", folder)).isEqualTo("""
            operator,name,shapes,types,values,kind,missing,calls,calls per pass,alone us,in order us,pass us,time \
            %,recorded pass us,runs stated,runs possible
            0,aten::mm,"[[4,4]]","[""float32""]",[null],ran,,8,4,100,110,400,80,480,40,10000
            1,aten::add,[[4]],"[""float32""]",[null],ran,,4,2,50,,100,20,120,40,
            2,c10d::allreduce_,,,,not-run,collective,2,1,,,,,100,,
            """);
    }

    @Test
    void energyIsThatOfTheWindowOverItsExecutions() throws IOException {
        assertThat(ReportText.sheet(compared(), "replay_energy", folder)).isEqualTo("""
            operator,name,shapes,types,values,kind,calls,runs stated,executions,window s,samples,method,busy \
            %,window J,mean W,call J,pass J,pass J error
            0,aten::mm,"[[4,4]]","[""float32""]",[null],ran,8,40,40,1,9,trapezoid,0.4,50,50,1.25,5,0
            """);
    }
}
