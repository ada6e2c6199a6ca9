// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.MadeWorld.Kernel;
import dev.lockstep.cli.MadeWorld.Sum;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * Ranks that are made from nothing: what the program says of them is what is true of them, in whatever format they are written,
 * and stays so when something is changed about them that changes nothing. Seeds stay; {@code config/fuzz} goes on with others.
 */
class MadeWorldsTest extends SeededProperties {
    private static final int SEEDS = 3;

    private static final Pattern DECIMAL = Pattern.compile("\\d+\\.?\\d*");

    MadeWorldsTest() {
        super(SEEDS);
    }

    @Override
    Map<String, Property> properties() {
        Map<String, Property> all = new TreeMap<>();
        all.put("worlds readers", this::everyReaderTellsTheTruth);
        all.put("worlds order", this::orderAndNumbersChangeNothing);
        all.put("worlds shift", this::timesCountFromAnywhere);
        all.put("worlds scale", this::whatTakesLongerTakesLonger);
        all.put("worlds merge", this::mergesReadBackAreWhatWasMerged);
        all.put("worlds filter", this::whatIsKeptAndWhatIsLeftOutIsAll);
        all.put("worlds split", this::iterationsAreWhatRanInThem);
        all.put("worlds diff", this::differencesAddUp);
        return all;
    }

    private void everyReaderTellsTheTruth(RandomGenerator random) throws IOException {
        MadeWorld world = MadeWorld.of(random);
        demandTruth(world, world.kernels(), MadeWorld.write(place("rank0.json"), world.kineto()));
        demandTruth(world, world.kernels(), Files.write(place("rank0.pftrace"), world.stages()));
        MadeWorld launches = new MadeWorld(List.of(), world.kernels()); // what follows is written without operators
        Path json = MadeWorld.write(place("a_results.json"), launches.rocprof());
        demandTruth(launches, world.kernels(), json);
        Path database = place("a_results.db");
        launches.rocpd(database);
        demandTruth(launches, world.kernels(), database);
        assertThat(sheets(database)).isEqualTo(sheets(json));
        demandTruth(launches, world.kernels(), MadeWorld.write(place("flex.json"), launches.flex()));
        demandTruth(launches, world.kernels(), Files.write(place("host.xplane.pb"), launches.xplane()));
        demandTruth(launches, world.kernels(), MadeWorld.write(place("host.trace.json"), launches.jax()));
        Path export = place("a.sqlite");
        launches.nsys(export);
        demandTruth(launches, world.kernels(), export);
    }

    private void orderAndNumbersChangeNothing(RandomGenerator random) throws IOException {
        MadeWorld world = MadeWorld.of(random);
        Path sound = MadeWorld.write(place("rank0.json"), world.kineto());
        Path other = MadeWorld.write(place("rank0.json"), world.inAnyOrder(random));
        assertThat(sheets(other)).isEqualTo(sheets(sound));
        demandTruth(world, world.kernels(), MadeWorld.write(place("rank0.json"), world.kineto(random)));
    }

    private void timesCountFromAnywhere(RandomGenerator random) throws IOException {
        MadeWorld world = MadeWorld.of(random);
        long later = random.nextLong(1_000_000_000_000L, 2_000_000_000_000_000L); // ns; all else is shorter by far
        Path sound = MadeWorld.write(place("rank0.json"), world.kineto());
        Path other =
                MadeWorld.write(place("rank0.json"), world.at(t -> t + later).kineto());
        Map<String, String> sheets = new TreeMap<>(sheets(other));
        sheets.replaceAll((name, text) -> earlier(text, BigDecimal.valueOf(later, 3)));
        assertThat(sheets).isEqualTo(sheets(sound));
    }

    /** A text whose moments count from an earlier one: numbers in µs that are so large that they are no durations. */
    private static String earlier(String text, BigDecimal shift) {
        return DECIMAL.matcher(text).replaceAll(number -> {
            BigDecimal value = new BigDecimal(number.group());
            return value.compareTo(shift) < 0
                    ? number.group()
                    : value.subtract(shift).stripTrailingZeros().toPlainString();
        });
    }

    private void whatTakesLongerTakesLonger(RandomGenerator random) throws IOException {
        MadeWorld world = MadeWorld.of(random);
        long by = 2 + random.nextLong(1_000);
        MadeWorld longer = world.at(t -> t * by);
        Path trace = MadeWorld.write(place("rank0.json"), longer.kineto());
        demandTruth(longer, longer.kernels(), trace);
        world.byKernel()
                .forEach((name, sum) ->
                        assertThat(longer.byKernel().get(name)).isEqualTo(new Sum(sum.count(), sum.ns() * by)));
    }

    private void mergesReadBackAreWhatWasMerged(RandomGenerator random) throws IOException {
        Path ranks = Files.createDirectories(place("ranks"));
        List<MadeWorld> worlds = List.of(MadeWorld.of(random), MadeWorld.of(random));
        for (int rank = 0; rank < worlds.size(); rank++) {
            MadeWorld.write(
                    ranks.resolve("rank" + rank + "_trace.json"),
                    worlds.get(rank).kineto(random));
        }
        for (String ending : List.of("json", "json.gz", "pftrace", "pftrace.gz")) {
            Path merge = place("merge." + ending);
            run("merge", ranks, "-o", merge);
            for (int rank = 0; rank < worlds.size(); rank++) {
                demandTruth(worlds.get(rank), worlds.get(rank).kernels(), merge, "--rank", rank);
            }
        }
    }

    private void whatIsKeptAndWhatIsLeftOutIsAll(RandomGenerator random) throws IOException {
        MadeWorld world = MadeWorld.of(random);
        Path trace = MadeWorld.write(place("rank0.json"), world.kineto(random));
        Kernel one = world.kernels().get(random.nextInt(world.kernels().size()));
        boolean byName = random.nextBoolean();
        String filter = byName ? "name=" + one.name() : "stream=" + one.stream();
        List<Kernel> kept = world.kernels().stream()
                .filter(k -> byName ? k.name().equals(one.name()) : k.stream() == one.stream())
                .toList();
        List<Kernel> left =
                world.kernels().stream().filter(k -> !kept.contains(k)).toList();
        for (String how : List.of("--filter", "--drop")) {
            List<Kernel> those = how.equals("--filter") ? kept : left;
            if (!those.isEmpty()) {
                Path part = place("rank0.json");
                run("merge", trace, "-o", part, how, filter, "--gpu-only");
                demandTruth(new MadeWorld(List.of(), those), those, part);
            }
        }
    }

    private void iterationsAreWhatRanInThem(RandomGenerator random) throws IOException {
        List<MadeWorld> steps = new ArrayList<>();
        long reached = 0;
        for (int i = 0; i < 3; i++) {
            long from = reached;
            steps.add(MadeWorld.of(random).at(t -> t + from));
            reached = steps.getLast().kernels().stream()
                    .mapToLong(Kernel::end)
                    .max()
                    .orElseThrow();
        }
        Path trace = MadeWorld.write(place("rank0.json"), MadeWorld.kineto(steps));
        Path parts = place("parts");
        run("split", trace, "-o", parts);
        for (int i = 0; i < steps.size(); i++) {
            List<Kernel> kernels = steps.get(i).kernels();
            demandTruth(steps.get(i), kernels, parts.resolve("rank0_iteration_" + i + ".json.gz"));
        }
    }

    private void differencesAddUp(RandomGenerator random) throws IOException {
        List<MadeWorld> worlds = List.of(MadeWorld.of(random), MadeWorld.of(random), MadeWorld.of(random));
        List<Path> traces = new ArrayList<>();
        for (MadeWorld world : worlds) {
            traces.add(MadeWorld.write(place("rank0.json"), world.kineto(random)));
        }
        long there = difference(worlds, traces, 0, 1);
        long on = difference(worlds, traces, 1, 2);
        assertThat(difference(worlds, traces, 0, 2)).isEqualTo(there + on);
        assertThat(difference(worlds, traces, 1, 0)).isEqualTo(-there);
        assertThat(difference(worlds, traces, 2, 2)).isZero();
    }

    /** By how much a candidate takes longer. It is that of what was made, and the sum of all causes. */
    private long difference(List<MadeWorld> worlds, List<Path> traces, int baseline, int candidate) throws IOException {
        Path csv = place("csv");
        run("diff", traces.get(baseline), traces.get(candidate), "--csv", csv);
        Map<String, BigDecimal> totals = sums(csv.resolve("diff_totals.csv"), "type", "difference us");
        long total = ns(totals.get("total_time"));
        assertThat(total)
                .isEqualTo(worlds.get(candidate).total() - worlds.get(baseline).total());
        assertThat(ns(totals.get("busy_time")))
                .isEqualTo(worlds.get(candidate).busy(k -> true)
                        - worlds.get(baseline).busy(k -> true));
        assertThat(sums(csv.resolve("diff_causes.csv"), "cause", "contribution us").values().stream()
                        .mapToLong(SeededProperties::ns)
                        .sum())
                .isEqualTo(total);
        Map<String, BigDecimal> kernels = sums(csv.resolve("diff_kernels.csv"), "name", "difference us");
        BinaryOperator<Sum> less = (a, b) -> new Sum(0, a.ns() - b.ns());
        Sum none = new Sum(0, 0);
        kernels.forEach((name, us) -> assertThat(ns(us))
                .as(name)
                .isEqualTo(less.apply(
                                worlds.get(candidate).byKernel().getOrDefault(name, none),
                                worlds.get(baseline).byKernel().getOrDefault(name, none))
                        .ns()));
        return total;
    }

    /** That a report of a trace says of its kernels what is true of them. */
    private void demandTruth(MadeWorld world, List<Kernel> kernels, Path trace, Object... options) throws IOException {
        Path csv = place("csv");
        List<Object> line = new ArrayList<>(List.of("report", trace, "--csv", csv));
        line.addAll(List.of(options));
        run(line.toArray());
        MadeWorld those = new MadeWorld(List.of(), kernels);
        Map<String, Sum> found = new TreeMap<>();
        for (Map<String, String> row : rows(csv.resolve("kernel_summary.csv"))) {
            String name = cell(row, "Kernel name").replaceFirst("_\\d+ Cmpt Exec$", "");
            Sum sum = new Sum(
                    Long.parseLong(cell(row, "Kernel duration (µs)_count")),
                    ns(new BigDecimal(cell(row, "Kernel duration (µs)_sum"))));
            found.merge(name, sum, (a, b) -> new Sum(a.count() + b.count(), a.ns() + b.ns()));
        }
        assertThat(found).as("%s", trace).isEqualTo(those.byKernel());
        Map<String, BigDecimal> parts = sums(csv.resolve("gpu_timeline.csv"), "type", "time ms");
        assertThat(millis(parts, "total_time")).as("%s", trace).isEqualTo(those.total());
        assertThat(millis(parts, "busy_time")).as("%s", trace).isEqualTo(those.busy(k -> true));
        assertThat(millis(parts, "idle_time")).isEqualTo(those.total() - those.busy(k -> true));
        long computes = those.busy(k -> !k.name().equals(MadeWorld.COLLECTIVE));
        assertThat(millis(parts, "computation_time")).isEqualTo(computes);
        assertThat(millis(parts, "exposed_comm_time")).isEqualTo(those.busy(k -> true) - computes);
        if (Files.exists(csv.resolve("ops_summary.csv")) && !world.operators().isEmpty()) {
            Map<String, BigDecimal> direct =
                    sums(csv.resolve("ops_summary.csv"), "name", "total_direct_kernel_time_sum");
            Map<String, BigDecimal> count = sums(csv.resolve("ops_summary.csv"), "name", "Count");
            world.byOperator().forEach((name, sum) -> {
                assertThat(ns(direct.get(name))).as("%s of %s", name, trace).isEqualTo(sum.ns());
                assertThat(count.get(name).longValueExact())
                        .as("%s of %s", name, trace)
                        .isEqualTo(sum.count());
            });
        }
    }

    private Map<String, String> sheets(Path trace) throws IOException {
        Path csv = place("csv");
        run("report", trace, "--csv", csv);
        return TestProgram.files(csv);
    }
}
