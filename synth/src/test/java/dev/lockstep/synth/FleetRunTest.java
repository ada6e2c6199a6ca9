// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.lockstep.synth.ParsedTrace.Event;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of many ranks, and what goes wrong in those. */
class FleetRunTest {
    @TempDir
    private Path folder;

    private static TraceRecipe recipe() {
        return SmallRecipes.small()
                .withStraggler(TraceRecipe.NO_STRAGGLER, 1)
                .withModel(new TraceRecipe.Model(1, 256, 512, 1))
                .withGpusPerNode(2)
                .withShardRanks(2)
                .withSteps(3)
                .withClocks(0, 0)
                .withTiming(Regularity.EVEN);
    }

    private static List<Event> compute(TraceRecipe recipe, int rank) {
        return ParsedTrace.of(recipe, rank).complete("kernel").stream()
                .filter(kernel -> !kernel.name().startsWith("nccl"))
                .toList();
    }

    private static long sum(List<Event> events) {
        return events.stream().mapToLong(Event::duration).sum();
    }

    @Test
    void manyFilesHoldWhatFewHold() throws IOException {
        TraceRecipe many = recipe().withRanks(300).withShardRanks(2).withSteps(2);
        SyntheticRun.write(folder, many, Layout.flat().gzip());
        String name = "rank299_trace.json.gz";
        try (InputStream in = new GZIPInputStream(Files.newInputStream(folder.resolve(name)))) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            String plain = new String(SyntheticRun.bytes(many, 299), StandardCharsets.UTF_8);
            assertThat(text.replace(name, "rank299_trace.json")).isEqualTo(plain);
        }
    }

    @Test
    void aSlowLinkStretchesWhatLeavesTheHostAlone() {
        TraceRecipe slow = recipe().withStraggler(new Straggler(1, Straggler.Kind.LINK, 3));
        List<Event> before = ParsedTrace.of(recipe(), 1).collectives();
        List<Event> after = ParsedTrace.of(slow, 1).collectives();
        List<Event> spared = ParsedTrace.of(slow, 0).collectives();
        long longer = 0;
        for (int i = 0; i < before.size(); i++) {
            String group = String.valueOf(before.get(i).args().get("Process Group Description"));
            double ratio = (double) after.get(i).duration() / before.get(i).duration();
            if (group.equals("mesh_dp_shard")) {
                assertThat(ratio).isLessThan(1.2);
            } else if (group.equals("mesh_dp_replicate") && ratio > 2.5) {
                longer++;
                assertThat(spared.get(i).duration()).isLessThan(after.get(i).duration());
            }
        }
        assertThat(longer).isPositive();
    }

    @Test
    void aRankBeginsLateOnce() {
        TraceRecipe late = recipe().withStraggler(new Straggler(2, Straggler.Kind.START, 40_000));
        List<Event> usual = compute(recipe(), 2);
        List<Event> after = compute(late, 2);
        assertThat(after.getFirst().start() - usual.getFirst().start()).isBetween(39_000_000L, 41_000_000L);
        assertThat(sum(after)).isBetween(sum(usual) * 99 / 100, sum(usual) * 101 / 100);
        assertThat(after.getLast().start() - usual.getLast().start()).isLessThan(45_000_000L);
    }

    @Test
    void aRankIsSlowFromAStepOn() {
        TraceRecipe slow = recipe().withStraggler(new Straggler(3, Straggler.Kind.DEVICE, 2, 3));
        List<Event> usual = compute(recipe(), 3);
        List<Event> after = compute(slow, 3);
        int step = usual.size() / 3;
        assertThat(sum(after.subList(0, 2 * step))).isEqualTo(sum(usual.subList(0, 2 * step)));
        assertThat((double) sum(after.subList(2 * step, 3 * step)) / sum(usual.subList(2 * step, 3 * step)))
                .isBetween(1.7, 2.1);
        assertThatIllegalArgumentException().isThrownBy(() -> new Straggler(1, Straggler.Kind.LINK, 2, 0));
    }
}
