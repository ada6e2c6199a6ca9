// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.dialect.Dialects;
import dev.lockstep.goal.generate.GoalRules;
import dev.lockstep.kernels.KernelDialect;
import dev.lockstep.replay.reconcile.ResultsDialect;
import dev.lockstep.reporting.CollectiveStyle;
import dev.lockstep.reporting.ComparisonDialect;
import dev.lockstep.reporting.DifferenceDialect;
import dev.lockstep.reporting.RankReportStyle;
import dev.lockstep.runs.ReportNames;
import dev.lockstep.straggler.StragglerRules;
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.summary.SweepStyle;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DialectsTest {
    /** As the help of the commands lists them. */
    private static final Map<Class<?>, String[]> TOOLS = Map.ofEntries(
            Map.entry(RankReportStyle.class, new String[] {"hta", "tracelens"}),
            Map.entry(CollectiveStyle.class, new String[] {"tracelens"}),
            Map.entry(DifferenceDialect.class, new String[] {"hta", "tracelens"}),
            Map.entry(ComparisonDialect.class, new String[] {"aorta", "tracelens"}),
            Map.entry(MergeDialect.class, new String[] {"aorta"}),
            Map.entry(SweepStyle.class, new String[] {"aorta"}),
            Map.entry(KernelDialect.class, new String[] {"piep"}),
            Map.entry(ResultsDialect.class, new String[] {"piep"}),
            Map.entry(GoalRules.class, new String[] {"reference"}),
            Map.entry(AiuRules.class, new String[] {"acelyzer"}),
            Map.entry(StragglerRules.class, new String[] {"wia"}));

    @Test
    void whoDoesWhatIsFound() {
        TOOLS.forEach((part, tools) ->
                assertThat(Dialects.having(part)).as(part.getSimpleName()).containsExactly(tools));
    }

    @Test
    void aToolIsFoundByItsNameAlone() {
        assertThat(Dialects.named("aorta").orElseThrow().part(ReportNames.class))
                .contains(ReportNames.AORTA);
        assertThat(Dialects.named("Aorta")).isEmpty();
        assertThat(Dialects.named("aorta").orElseThrow().part(GoalRules.class)).isEmpty();
    }
}
