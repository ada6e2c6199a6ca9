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
import dev.lockstep.sweep.merge.MergeDialect;
import dev.lockstep.sweep.summary.SweepStyle;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DialectsTest {
    /** As the help of the commands lists them. */
    private static final Map<Class<?>, String[]> TOOLS = Map.of(
            RankReportStyle.class, new String[] {"hta", "tracelens"},
            CollectiveStyle.class, new String[] {"tracelens"},
            DifferenceDialect.class, new String[] {"hta", "tracelens"},
            ComparisonDialect.class, new String[] {"aorta", "tracelens"},
            MergeDialect.class, new String[] {"aorta"},
            SweepStyle.class, new String[] {"aorta"},
            KernelDialect.class, new String[] {"piep"},
            ResultsDialect.class, new String[] {"piep"},
            GoalRules.class, new String[] {"reference"},
            AiuRules.class, new String[] {"acelyzer"});

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
