// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.Lockstep;
import dev.lockstep.Lockstep.Options;
import dev.lockstep.RankResult;
import dev.lockstep.Run;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeOptions;
import dev.lockstep.options.ReportOptions;
import dev.lockstep.synth.Layout;
import dev.lockstep.synth.SyntheticRun;
import dev.lockstep.synth.SyntheticTraces;
import dev.lockstep.synth.TraceRecipe;
import dev.lockstep.synth.Vendor;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What holds of every trace, whatever its format: the critical path tiles its window to the nanosecond, its summary adds up to it,
 * gaps of computation are the time without computation, and scenarios that change nothing give what was recorded.
 */
class PathTilesTest {
    private final Lockstep lockstep = Lockstep.open(new Options(2, false));
    private int paths;

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        lockstep.close();
    }

    @Test
    void pathsOfAllSmallTracesTile() throws IOException {
        for (Path file : small()) {
            try {
                demandTiles(lockstep.read(file), file.toString());
            } catch (UserException | TraceFormatException e) {
                // no trace, or not a part of a run: what is left is counted below
            }
        }
        assertThat(paths).as("traces with a path").isGreaterThan(15);
    }

    @Test
    void pathsOfSyntheticRunsTileInEachFormat() throws IOException {
        TraceRecipe recipe = SyntheticTraces.smallRecipe(2).withSeed(11);
        List<TraceRecipe> recipes = List.of(
                recipe,
                recipe.withSyncEvents(true),
                recipe.withGraphs(true).withSyncEvents(true),
                recipe.withGraphs(true).withVendor(Vendor.ROCM));
        for (int i = 0; i < recipes.size(); i++) {
            Path ranks = folder.resolve("ranks" + i);
            SyntheticRun.write(ranks, recipes.get(i), Layout.flat());
            demandTiles(lockstep.read(ranks), "ranks");
            for (String name : List.of("all.json.gz", "all.pftrace")) {
                Path merged = folder.resolve(i + name);
                lockstep.merge(lockstep.read(ranks))
                        .with(MergeOptions.standard())
                        .writeTo(merged);
                demandTiles(lockstep.read(merged), name);
            }
        }
        assertThat(paths).isEqualTo(24);
    }

    /** Documents of other tests. */
    private static List<Path> small() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String module : List.of("ranks", "explain", "compat", "aiu", "cli")) {
            Path resources = Path.of("..", module, "src", "test", "resources");
            try (Stream<Path> found = Files.walk(resources)) {
                found.filter(file -> file.toString().endsWith(".json")).sorted().forEach(files::add);
            }
        }
        return files;
    }

    private void demandTiles(Run run, String name) throws IOException {
        ReportOptions.Paths whole = new ReportOptions.Paths(ReportOptions.Paths.WHOLE, List.of("host=x1", "launch=0"));
        for (RankResult rank : run.with(ReportOptions.standard().with(whole)).ranks()) {
            List<Table> tables = rank.tables();
            if (tables.stream().noneMatch(table -> table.name().equals("critical_path"))) {
                continue;
            }
            paths++;
            demandTiles(rank, name + " rank " + rank.rank());
        }
    }

    private static void demandTiles(RankResult rank, String name) {
        Table path = rank.table("critical_path");
        long length = 0;
        for (int row = 0; row < path.rows(); row++) {
            if (row > 0) {
                assertThat(ns(path, "start us", row))
                        .as("%s: piece %d", name, row)
                        .isEqualTo(ns(path, "start us", row - 1) + ns(path, "duration us", row - 1));
            }
            length += ns(path, "duration us", row);
        }
        assertThat(sum(rank.table("critical_path_summary"), "time us")).as(name).isEqualTo(length);
        Table scenarios = rank.table("what_if");
        assertThat(ns(scenarios, "before_us", 0)).as(name).isEqualTo(length);
        assertThat(ns(scenarios, "after_us", 0)).as(name).isEqualTo(length);
        Table timeline = rank.table("gpu_timeline");
        assertThat(timeline.strings(0).get(0)).isEqualTo("computation_time");
        assertThat(sum(rank.table("compute_gaps"), "time us"))
                .as("%s: gaps", name)
                .isEqualTo(length - ns(timeline, "time ms", 0));
    }

    private static long ns(Table table, String column, int row) {
        return table.longs(table.schema().indexOf(column)).get(row);
    }

    private static long sum(Table table, String column) {
        long sum = 0;
        for (int row = 0; row < table.rows(); row++) {
            sum += ns(table, column, row);
        }
        return sum;
    }
}
