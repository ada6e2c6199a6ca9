// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.analyze.comm.SlowRanks;
import dev.lockstep.analyze.comm.SlowRanks.Incident;
import dev.lockstep.analyze.comm.SlowRanks.Slow;
import dev.lockstep.fleet.FleetRun.Member;
import dev.lockstep.fleet.FleetRun.Place;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The sheets and the picture of a fleet. */
final class FleetSheets {
    private static final double HUNDRED = 100;

    /** So many rows and columns a picture has at most: ranks and steps are joined, and the largest value counts. */
    private static final int MOST_DRAWN = 128;

    private static final int MOST_INCIDENTS = 1000;

    private final FleetRun run;
    private final FleetSteps steps;
    private final SlowRanks slow;
    private final RankGains gains;
    private final double[][] above;

    FleetSheets(FleetRun run, FleetSteps steps, SlowRanks slow, RankGains gains) {
        this.gains = gains;
        this.run = run;
        this.steps = steps;
        this.slow = slow;
        above = steps.aboveMedian(steps.own());
    }

    Table slowRanks() {
        return new Fields<Slow>()
                .add(id("rank", "The rank."), s -> (long) s.rank())
                .add(text("node", "Its host; missing when not known."), s -> node(s.rank()))
                .add(text("rack", "Rack of the host; missing when not known."), s -> rack(s.rank()))
                .add(id("since_step", "The first step in which it is slow."), s -> steps.steps()[s.since()])
                .add(count("steps", "Number of steps from then on in which it is compared."), s -> (long) s.steps())
                .add(
                        real(
                                "ratio",
                                Unit.NONE,
                                Unit.NONE,
                                "What it takes without waiting, by what the median rank takes; missing where that is"
                                        + " nothing."),
                        s -> finite(s.ratio()))
                .add(micros("excess_us", "Mean by which it takes longer in a step."), Slow::excessNs)
                .add(
                        text("where", "Where it loses most of it: device, host or copies."),
                        s -> s.where().name().toLowerCase(Locale.ROOT))
                .add(
                        micros(
                                "gain_us",
                                "By how much the run gets shorter if it keeps pace; missing where that is not known."),
                        s -> gain(s, RankGains.Row::aloneNs))
                .add(
                        micros("cost_us", "What it costs where all other slow ranks keep pace; missing likewise."),
                        s -> gain(s, RankGains.Row::remainingNs))
                .add(
                        percent("cost_percent", "The same as a share of the run."),
                        s -> gain(s, row -> HUNDRED * row.remainingNs() / gains.ofNs()))
                .table("fleet_slow_ranks", "Slow ranks", slow.slow());
    }

    private @Nullable Double gain(Slow one, ToDoubleFunction<RankGains.Row> of) {
        RankGains.Row row = gains.of(one.rank());
        return row == null ? null : (Double) of.applyAsDouble(row);
    }

    Table kernels() {
        return new Fields<FleetRun.Kernel>()
                .add(id("rank", "The slow rank."), k -> (long) k.rank())
                .add(text("name", "The kernel."), FleetRun.Kernel::name)
                .add(
                        text("dims", "Shapes of the inputs of its operator; missing when not recorded."),
                        FleetRun.Kernel::dims)
                .add(count("count", "How often it ran on the rank."), FleetRun.Kernel::count)
                .add(count("usual_count", "How often it ran on the median rank."), FleetRun.Kernel::usualCount)
                .add(
                        real("ratio", Unit.NONE, Unit.NONE, "Its time, by that of the median rank."),
                        FleetRun.Kernel::ratio)
                .add(
                        micros("excess_us", "Its time less that of the median rank, over all steps."),
                        FleetRun.Kernel::excessNs)
                .table("fleet_kernels", "Extra kernel time of slow ranks", run.kernels());
    }

    private record Shared(String what, String name, int ranks, List<Integer> slow) {}

    Table places() {
        List<Shared> rows = new ArrayList<>();
        shared("node", Place::node, rows);
        shared("rack", Place::rack, rows);
        return new Fields<Shared>()
                .add(text("what", "node or rack."), Shared::what)
                .add(text("name", "Its name."), Shared::name)
                .add(count("ranks", "Ranks that run there."), s -> (long) s.ranks())
                .add(count("slow_ranks", "Slow ones among them."), s ->
                        (long) s.slow().size())
                .add(
                        ColumnSpec.bool(
                                "slow", "Whether it is slow as a whole: two of its ranks are, and more than half."),
                        s -> isSlow(s.slow().size(), s.ranks()))
                .table("fleet_places", "Nodes and racks", rows);
    }

    private void shared(String what, Function<Place, @Nullable String> name, List<Shared> rows) {
        SortedMap<String, List<Integer>> slowOf = slowBy(run, slow, name);
        sizes(run, name)
                .forEach((place, size) ->
                        rows.add(new Shared(what, place, size, slowOf.getOrDefault(place, List.of()))));
    }

    private static boolean isSlow(int slow, int ranks) {
        return slow >= 2 && 2 * slow > ranks;
    }

    /** Places that are slow as a whole, with their slow ranks. */
    static SortedMap<String, List<Integer>> slowPlaces(
            FleetRun run, SlowRanks slow, Function<Place, @Nullable String> name) {
        SortedMap<String, List<Integer>> found = slowBy(run, slow, name);
        SortedMap<String, Integer> sizes = sizes(run, name);
        found.entrySet().removeIf(place -> !isSlow(place.getValue().size(), sizes.getOrDefault(place.getKey(), 0)));
        return found;
    }

    /** Ranks of each place, in the order of its rows. */
    static SortedMap<String, Integer> sizes(FleetRun run, Function<Place, @Nullable String> name) {
        SortedMap<String, Integer> sizes = new TreeMap<>();
        for (Place place : run.places().values()) {
            String of = name.apply(place);
            if (of != null) {
                sizes.merge(of, 1, Integer::sum);
            }
        }
        return sizes;
    }

    private static SortedMap<String, List<Integer>> slowBy(
            FleetRun run, SlowRanks slow, Function<Place, @Nullable String> name) {
        SortedMap<String, List<Integer>> found = new TreeMap<>();
        for (Slow one : slow.slow()) {
            Place place = run.places().get(one.rank());
            String of = place == null ? null : name.apply(place);
            if (of != null) {
                found.computeIfAbsent(of, n -> new ArrayList<>()).add(one.rank());
            }
        }
        return found;
    }

    Table starts() {
        return new Fields<FleetRun.Start>()
                .add(id("rank", "The rank."), s -> (long) s.rank())
                .add(text("node", "Its host; missing when not known."), s -> node(s.rank()))
                .add(
                        micros(
                                "late_us",
                                "How much later than the median of the members it came to its first collective."),
                        FleetRun.Start::lateNs)
                .table("fleet_starts", "Ranks that began late", run.starts());
    }

    Table incidents() {
        return new Fields<Incident>()
                .add(id("rank", "The rank."), i -> (long) i.rank())
                .add(id("step", "The step."), i -> steps.steps()[i.step()])
                .add(micros("excess_us", "By how much it took longer than the median rank."), Incident::excessNs)
                .table(
                        "fleet_incidents",
                        "Steps in which a rank stalled",
                        slow.incidents()
                                .subList(
                                        0,
                                        Math.min(
                                                MOST_INCIDENTS, slow.incidents().size())));
    }

    Table groups() {
        return new Fields<FleetRun.Group>()
                .add(text("group", "The process group."), FleetRun.Group::group)
                .add(text("kind", "The collective."), FleetRun.Group::kind)
                .add(
                        ColumnSpec.whole("bytes", Unit.BYTES, Unit.BYTES, "Size of the message; missing when unknown."),
                        g -> g.bytes() < 0 ? null : g.bytes())
                .add(count("ranks", "Members that were found."), g ->
                        (long) g.ranks().size())
                .add(
                        real("ratio", Unit.NONE, Unit.NONE, "Its median transfer, by the median of like groups."),
                        FleetRun.Group::ratio)
                .add(count("like_groups", "Other groups of this size with such messages."), g -> (long) g.others())
                .add(micros("excess_us", "What its transfers take longer, over all steps."), FleetRun.Group::excessNs)
                .table("fleet_groups", "Process groups with slow transfers", run.groups());
    }

    private record StepRow(int step) {}

    Table steps() {
        List<StepRow> rows = new ArrayList<>();
        for (int s = 0; s < steps.steps().length; s++) {
            rows.add(new StepRow(s));
        }
        return new Fields<StepRow>()
                .add(id("step", "The step."), s -> steps.steps()[s.step])
                .add(count("ranks", "Ranks that have it."), s -> ranksIn(s.step))
                .add(
                        micros("period_us", "What it takes on the median rank."),
                        s -> finite(median(steps.period(), s.step)))
                .add(
                        micros("own_us", "The same without communication that nothing hid, likewise."),
                        s -> finite(median(steps.own(), s.step)))
                .add(
                        id("slowest_rank", "The rank that is furthest above the median of its kind."),
                        s -> slowest(s.step))
                .add(micros("slowest_us", "By how much."), s -> finite(most(s.step)))
                .table("fleet_steps", "Steps", rows);
    }

    private long ranksIn(int step) {
        return Arrays.stream(steps.own())
                .filter(own -> !Double.isNaN(own[step]))
                .count();
    }

    private static double median(double[][] values, int step) {
        return FleetSteps.median(Arrays.stream(values).mapToDouble(of -> of[step]));
    }

    private @Nullable Long slowest(int step) {
        int best = -1;
        for (int r = 0; r < above.length; r++) {
            if (!Double.isNaN(above[r][step]) && (best < 0 || above[r][step] > above[best][step])) {
                best = r;
            }
        }
        return best < 0 ? null : (long) steps.ranks()[best];
    }

    private double most(int step) {
        return Arrays.stream(above)
                .mapToDouble(of -> of[step])
                .filter(v -> !Double.isNaN(v))
                .max()
                .orElse(Double.NaN);
    }

    Table ranks() {
        Map<Integer, Integer> at = new HashMap<>();
        for (int r = 0; r < steps.ranks().length; r++) {
            at.put(steps.ranks()[r], r);
        }
        return new Fields<Member>()
                .add(
                        id("rank", "The rank; missing for files that belong to none."),
                        m -> m.rank() < 0 ? null : (long) m.rank())
                .add(text("status", "read, partial, unreadable, missing, doubled or set_aside."), Member::status)
                .add(text("node", "Its host; missing when not known."), m -> node(m.rank()))
                .add(
                        id(
                                "kind",
                                "Ranks of one kind run mostly the same kernels and communicate equally often; missing"
                                        + " without steps."),
                        m -> at.containsKey(m.rank()) ? (long) steps.kinds()[at.get(m.rank())] : null)
                .add(
                        micros("own_us", "Mean of what it takes in a step without communication that nothing hid."),
                        m -> at.containsKey(m.rank()) ? finite(mean(steps.own()[at.get(m.rank())])) : null)
                .add(
                        micros("above_us", "Mean by which that is above the median of its kind; negative below."),
                        m -> at.containsKey(m.rank()) ? finite(mean(above[at.get(m.rank())])) : null)
                .add(
                        ColumnSpec.micros(
                                "clock_offset_us",
                                "How far its clock is ahead of that of the reference; missing when unknown."),
                        m -> m.clock() == null ? null : m.clock().offsetNs())
                .add(
                        ColumnSpec.micros(
                                "clock_error_us", "The offset is right to within this over the whole recording."),
                        m -> m.clock() == null ? null : m.clock().errorNs())
                .add(
                        real("clock_drift_ppm", Unit.NONE, Unit.NONE, "By how much the offset grows."),
                        m -> m.clock() == null ? null : m.clock().driftPpm())
                .add(text("file", "The trace; missing for none."), Member::file)
                .add(text("note", "What is wrong; missing for nothing."), Member::note)
                .table("fleet_ranks", "Ranks", run.ranks());
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).filter(v -> !Double.isNaN(v)).average().orElse(Double.NaN);
    }

    Chart.Heat map() {
        int rows = Math.min(MOST_DRAWN, steps.ranks().length);
        int columns = Math.min(MOST_DRAWN, steps.steps().length);
        double[][] cells = new double[rows][columns];
        for (double[] row : cells) {
            Arrays.fill(row, Double.NaN);
        }
        int[] firstRank = new int[rows];
        int[] lastRank = new int[rows];
        long[] firstStep = new long[columns];
        long[] lastStep = new long[columns];
        Arrays.fill(firstRank, -1);
        Arrays.fill(firstStep, -1);
        for (int r = 0; r < steps.ranks().length; r++) {
            int row = (int) ((long) r * rows / steps.ranks().length);
            firstRank[row] = firstRank[row] < 0 ? steps.ranks()[r] : firstRank[row];
            lastRank[row] = steps.ranks()[r];
            for (int s = 0; s < steps.steps().length; s++) {
                int column = (int) ((long) s * columns / steps.steps().length);
                firstStep[column] = firstStep[column] < 0 ? steps.steps()[s] : firstStep[column];
                lastStep[column] = steps.steps()[s];
                double usual = steps.own()[r][s] - above[r][s];
                double share = usual > 0 ? Math.max(0, HUNDRED * above[r][s] / usual) : Double.NaN;
                boolean first = Double.isNaN(cells[row][column]);
                cells[row][column] = first || share > cells[row][column] ? share : cells[row][column];
            }
        }
        List<String> labels = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            labels.add(
                    firstRank[row] == lastRank[row]
                            ? "rank " + firstRank[row]
                            : "ranks " + firstRank[row] + "–" + lastRank[row]);
        }
        List<String> heads = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
            heads.add(
                    firstStep[column] == lastStep[column]
                            ? "step " + firstStep[column]
                            : "steps " + firstStep[column] + "–" + lastStep[column]);
        }
        List<Evidence> leads = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            int from = firstRank[row];
            int to = lastRank[row];
            leads.addAll(Collections.nCopies(
                    columns, Evidence.Rows.of("fleet_ranks", run.ranks(), m -> m.rank() >= from && m.rank() <= to)));
        }
        return new Chart.Heat(
                "Waiting caused by each rank",
                "By how much a rank takes longer than the median of its kind, without communication that nothing hid."
                        + " Where ranks or steps share a cell, the largest counts. A row that stands out is a slow rank.",
                "%",
                labels,
                heads,
                cells,
                Chart.Scale.LOSS,
                leads);
    }

    private @Nullable String node(int rank) {
        Place place = run.places().get(rank);
        return place == null ? null : place.node();
    }

    private @Nullable String rack(int rank) {
        Place place = run.places().get(rank);
        return place == null ? null : place.rack();
    }

    private static @Nullable Double finite(double value) {
        return Double.isNaN(value) ? null : (Double) value;
    }

    private static ColumnSpec micros(String header, String doc) {
        return real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }
}
