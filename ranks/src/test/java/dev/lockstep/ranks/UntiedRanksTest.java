// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section.FactsSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.straggler.RankStragglerReport;
import dev.lockstep.straggler.StragglerOptions;
import dev.lockstep.synth.Straggler;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks whose clocks nothing ties change nothing that is said of the others, and of them alone nothing is said across ranks. */
class UntiedRanksTest {
    private static final TraceRecipe TIED = SyntheticTraces.smallRecipe(4)
            .withSteps(5)
            .withHidden(2048)
            .withStraggler(new Straggler(2, Straggler.Kind.DEVICE, 1.4));

    private final List<List<Steps.Step>> steps = new ArrayList<>();

    private static List<Trace> tied() {
        return SyntheticTraces.synthetic(TIED);
    }

    /** Runs of one rank each, the second of which is slow. */
    private static List<Trace> alone(int count) {
        List<Trace> traces = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TraceRecipe recipe = SyntheticTraces.smallRecipe(1)
                    .withSteps(5)
                    .withHidden(i == 1 ? 4096 : 2048)
                    .withSeed(i + 1);
            traces.addAll(SyntheticTraces.synthetic(recipe));
        }
        return traces;
    }

    private MatchedRanks matched(List<Trace> traces, CollectiveOptions.Alignment alignment) {
        steps.clear();
        List<KeptRank> kept = new ArrayList<>();
        for (Trace trace : traces) {
            DerivedCache cache = new DerivedCache(trace.withRank(new Rank(kept.size(), Rank.Origin.TRACE)));
            kept.add(KeptRank.of(cache));
            steps.add(cache.get(new Steps.Key(null)).steps());
        }
        CollectiveOptions standard = CollectiveOptions.standard();
        return MatchedRanks.of(
                kept,
                "run",
                new CollectiveOptions(standard.gpusPerNode(), false, CollectiveOptions.STATISTICS, alignment));
    }

    private Report stragglers(MatchedRanks run) {
        return RankStragglerReport.of(run, steps, false, StragglerOptions.THRESHOLD);
    }

    private static List<String> codes(Report report) {
        return report.sections().stream()
                .filter(FindingsSection.class::isInstance)
                .flatMap(section -> ((FindingsSection) section).findings().stream())
                .map(Finding::code)
                .toList();
    }

    private static String slowdown(Report report) {
        return report.sections().stream()
                .filter(FactsSection.class::isInstance)
                .flatMap(section -> ((FactsSection) section).facts().stream())
                .filter(fact -> fact.label().equals("slowdown"))
                .findFirst()
                .orElseThrow()
                .value();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void ranksThatNothingTiesChangeNoGain(int more) {
        RankGains expected = matched(tied(), CollectiveOptions.Alignment.AUTO).gains();
        String slowdown = slowdown(stragglers(matched(tied(), CollectiveOptions.Alignment.AUTO)));
        assertThat(Objects.requireNonNull(expected.of(2)).aloneNs()).isPositive();

        List<Trace> all = new ArrayList<>(tied());
        all.addAll(alone(more));
        MatchedRanks run = matched(all, CollectiveOptions.Alignment.AUTO);

        assertThat(run.compared().present()).hasSize(4);
        assertThat(run.gains().of(2)).isEqualTo(expected.of(2));
        assertThat(run.gains().ofNs()).isEqualTo(expected.ofNs());
        assertThat(run.gains().rows()).noneMatch(row -> row.rank() > 3);
        Report report = stragglers(run);
        assertThat(slowdown(report)).isEqualTo(slowdown);
        assertThat(codes(report)).contains("clocks_unknown", "straggler_slowdown");
    }

    @Test
    void whereNothingTiesAnyTheSlowdownIsUnknown() {
        MatchedRanks run = matched(alone(3), CollectiveOptions.Alignment.AUTO);

        assertThat(run.compared().present()).hasSize(1);
        assertThat(run.gains()).isEqualTo(RankGains.NONE);
        Report report = stragglers(run);
        assertThat(slowdown(report)).isEqualTo("unknown");
        assertThat(codes(report)).contains("clocks_unknown").doesNotContain("straggler_slowdown", "straggler_workers");
        assertThat(report.sections().stream().filter(TableSection.class::isInstance))
                .hasSize(1);
    }

    @Test
    void timesThatAreTakenAsRecordedAreCompared() {
        MatchedRanks run = matched(alone(3), CollectiveOptions.Alignment.NONE);

        assertThat(run.compared()).isSameAs(run);
        assertThat(codes(stragglers(run))).contains("straggler_slowdown").doesNotContain("clocks_unknown");
    }
}
