// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Instance;
import dev.lockstep.derive.CollectiveMatch.Member;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.synth.Omission;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.testkit.EventText;
import dev.lockstep.testkit.TestTraces;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CollectiveMatchTest {
    private static final String GROUP = "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\"";

    private static EventText collective(EventText into, long ts, String kind, String dtype, String more) {
        return into.device(
                "kernel",
                "ncclDevKernel_" + kind,
                ts,
                10,
                ts,
                20,
                GROUP + ", \"Collective name\": \"" + kind + "\", \"dtype\": \"" + dtype + '"' + more);
    }

    private static CollectiveMatch match(EventText... ranks) {
        List<Trace> traces = new ArrayList<>();
        for (EventText rank : ranks) {
            traces.add(TestTraces.of(rank));
        }
        return CollectiveMatch.of(traces, KernelRules.standard());
    }

    @Test
    void sequenceNumbersMatchWhateverIsMissing() {
        EventText a = new EventText();
        EventText b = new EventText();
        for (int i = 0; i < 4; i++) {
            collective(a, i * 100, "allreduce", "Float", ", \"Seq\": " + (10 + i));
            if (i != 1) {
                collective(b, i * 100 + 7, "allreduce", "Float", ", \"Seq\": " + (10 + i));
            }
        }
        CollectiveMatch match = match(a, b);
        assertThat(match.instances()).extracting(Instance::number).containsExactly(10L, 11L, 12L, 13L);
        assertThat(match.instances()).allMatch(i -> i.basis() == Basis.SEQUENCE);
        assertThat(match.instances()).extracting(i -> i.members().size()).containsExactly(2, 1, 2, 2);
        assertThat(match.disagreements()).isZero();
    }

    @Test
    void withoutNumbersTheOrderWithinTheGroupMatches() {
        EventText a = new EventText();
        EventText b = new EventText();
        collective(collective(a, 0, "allreduce", "Float", ""), 100, "allgather", "Float", "");
        collective(collective(b, 50, "allreduce", "Float", ""), 160, "allgather", "Float", "");
        CollectiveMatch match = match(a, b);
        assertThat(match.instances()).hasSize(2).allMatch(i -> i.basis() == Basis.GROUP_AND_ORDER);
        assertThat(match.instances().getFirst().members()).containsExactly(new Member(0, 0), new Member(1, 0));
        assertThat(match.instances().getFirst().groupRanks()).isEqualTo("[0, 1]");
    }

    @Test
    void kernelsWithoutNumbersAmongNumberedOnesStandInAnOrderOfTheirOwn() {
        EventText a = collective(new EventText(), 0, "allreduce", "Float", "");
        EventText b = collective(new EventText(), 0, "allreduce", "Float", "");
        collective(a, 100, "allreduce", "Float", ", \"Seq\": 0");
        collective(b, 100, "allreduce", "Float", ", \"Seq\": 0");
        CollectiveMatch match = match(a, b);
        assertThat(match.instances())
                .extracting(Instance::basis)
                .containsExactly(Basis.SEQUENCE, Basis.GROUP_AND_ORDER);
        assertThat(match.instances()).allMatch(i -> i.members().size() == 2);
    }

    @Test
    void kernelsOfOneRankWithOneNumberAreInstancesOfTheirOwn() {
        EventText a = collective(new EventText(), 0, "allgather", "Float", ", \"Seq\": 3");
        EventText b = collective(new EventText(), 5, "allgather", "Float", ", \"Seq\": 3");
        collective(a, 100, "allgather", "Float", ", \"Seq\": 3");
        collective(b, 105, "allgather", "Float", ", \"Seq\": 3");
        CollectiveMatch match = match(a, b);
        assertThat(match.instances()).hasSize(2).allMatch(i -> i.members().size() == 2 && i.number() == 3);
    }

    @Test
    void membersThatDisagreeAreTakenApartAndCounted() {
        EventText a = collective(new EventText(), 0, "allreduce", "Float", ", \"Seq\": 1");
        EventText b = collective(new EventText(), 0, "allreduce", "Half", ", \"Seq\": 1");
        CollectiveMatch match = match(a, b);
        assertThat(match.instances()).hasSize(2).allMatch(i -> i.members().size() == 1);
        assertThat(match.disagreements()).isEqualTo(1);
    }

    @Test
    void withoutMetadataNameAndOrderMatch() {
        EventText a =
                new EventText().kernel("ncclKernel_AllReduce", 0, 10, 1, 20).kernel("gemm", 5, 10, 2, 7);
        EventText b = new EventText().kernel("ncclKernel_AllReduce", 9, 10, 1, 20);
        CollectiveMatch match = match(a, b);
        assertThat(match.instances()).hasSize(1);
        Instance only = match.instances().getFirst();
        assertThat(only.basis()).isEqualTo(Basis.NAME_AND_ORDER);
        assertThat(only.group()).isEmpty();
        assertThat(only.groupRanks()).isNull();
        assertThat(only.members()).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = Omission.class,
            names = {"COLLECTIVE_METADATA", "STEPS"})
    void everyCollectiveOfASyntheticRunHasAllItsRanks(Omission omission) {
        TraceRecipe recipe = TestTraces.smallRecipe(4);
        recipe = recipe.withRecording(new TraceRecipe.Recording(2, 0, false, Set.of(omission)));
        List<Trace> traces = TestTraces.synthetic(recipe);
        CollectiveMatch match = CollectiveMatch.of(traces, KernelRules.standard());
        assertThat(match.instances()).isNotEmpty();
        assertThat(match.disagreements()).isZero();
        for (Instance instance : match.instances()) {
            assertThat(instance.members()).extracting(Member::trace).containsExactly(0, 1, 2, 3);
            long latestStart = Long.MIN_VALUE;
            long earliestEnd = Long.MAX_VALUE;
            for (Member member : instance.members()) {
                var slices = traces.get(member.trace()).slices();
                latestStart = Math.max(latestStart, slices.ts(member.slice()));
                earliestEnd = Math.min(earliestEnd, slices.end(member.slice()));
            }
            // On clocks that agree, nobody leaves a collective before the last one has come.
            assertThat(earliestEnd).isGreaterThan(latestStart);
        }
    }

    @Test
    void syntheticMembersCarryTheSameNumber() {
        List<Trace> traces = TestTraces.synthetic(TestTraces.smallRecipe(2));
        for (Instance instance :
                CollectiveMatch.of(traces, KernelRules.standard()).instances()) {
            for (Member member : instance.members()) {
                CollectiveDetails details = traces.get(member.trace()).view(CollectiveDetails.KEY);
                assertThat(details.sequence(details.of(member.slice()))).isEqualTo(instance.number());
            }
        }
    }
}
