// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.synth.ParsedTrace.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CollectiveContentTest {
    /** One rank's part in a collective, its times on the common clock. */
    private record Part(int rank, Event kernel, long start, long end) {}

    private final TraceRecipe recipe = SmallRecipes.small().withClocks(3_000_000, 0);

    private static Map<String, List<Part>> match(TraceRecipe recipe) {
        Map<String, List<Part>> parts = new LinkedHashMap<>();
        for (int rank = 0; rank < recipe.cluster().ranks(); rank++) {
            long offset = RankClock.of(recipe, rank).offsetNanos();
            for (Event kernel : ParsedTrace.of(recipe, rank).collectives()) {
                String key = kernel.args().get("Process Group Name") + "#" + kernel.number("Seq");
                parts.computeIfAbsent(key, none -> new ArrayList<>())
                        .add(new Part(rank, kernel, kernel.start() - offset, kernel.end() - offset));
            }
        }
        return parts;
    }

    @Test
    void everyMemberTakesPartWithEqualSizes() {
        TraceRecipe hybrid = recipe.withShardRanks(2);
        Map<String, List<Part>> collectives = match(hybrid);
        assertThat(collectives).hasSizeGreaterThan(20);
        collectives.forEach((key, parts) -> {
            Event first = parts.get(0).kernel();
            List<Integer> members = parts.stream().map(Part::rank).toList();
            assertThat(members).as(key).hasToString(String.valueOf(first.args().get("Process Group Ranks")));
            assertThat(members).hasSize((int) first.number("Group size"));
            for (String argument : List.of("Collective name", "In msg nelems", "Out msg nelems", "dtype")) {
                assertThat(parts)
                        .extracting(part -> part.kernel().args().get(argument))
                        .containsOnly(first.args().get(argument));
            }
            assertThat(parts)
                    .extracting(part -> part.kernel().number("Rank"))
                    .containsExactlyElementsOf(IntStream.range(0, members.size())
                            .mapToObj(Long::valueOf)
                            .toList());
        });
    }

    @Test
    void membersEndTogetherAfterTheLastHasArrived() {
        match(recipe).forEach((key, parts) -> {
            long lastStart = parts.stream().mapToLong(Part::start).max().orElseThrow();
            long firstEnd = parts.stream().mapToLong(Part::end).min().orElseThrow();
            long lastEnd = parts.stream().mapToLong(Part::end).max().orElseThrow();
            assertThat(lastEnd - firstEnd).as(key).isLessThan(1_000);
            assertThat(firstEnd).as(key).isGreaterThan(lastStart + 5_000);
        });
    }

    @Test
    void theStragglerArrivesLast() {
        List<List<Part>> reductions = match(recipe).values().stream()
                .filter(parts -> "_reduce_scatter_base"
                        .equals(parts.get(0).kernel().args().get("Collective name")))
                .toList();
        assertThat(reductions).hasSize(6).allSatisfy(parts -> {
            long last = parts.stream().mapToLong(Part::start).max().orElseThrow();
            assertThat(parts.get(2).start()).isEqualTo(last);
        });
    }

    @Test
    void groupsOfAJobAreNumberedOnceAndListTheirMembers() {
        List<ProcessGroup> groups = ProcessGroup.of(new TraceRecipe.Cluster(8, 4, 4));
        assertThat(groups).extracting(ProcessGroup::name).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
        assertThat(groups.get(2).ranks()).containsExactly(4, 5, 6, 7);
        assertThat(groups.get(4).ranks()).containsExactly(1, 5);
        assertThat(ProcessGroup.spansNodes(groups.get(2).ranks(), 4)).isFalse();
        assertThat(ProcessGroup.spansNodes(groups.get(4).ranks(), 4)).isTrue();
    }

    @Test
    void longMemberListsAreShortenedAsTheProfilerDoes() {
        ProcessGroup world = ProcessGroup.of(new TraceRecipe.Cluster(64, 8, 64)).get(0);
        assertThat(world.listed()).startsWith("[0, 1, 2, ").endsWith(", 28, ..., 63]");
    }
}
