// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.straggler.JobGraph.Times;
import dev.lockstep.straggler.StragglerFigures.Groups;
import dev.lockstep.straggler.StragglerFigures.Share;
import dev.lockstep.straggler.StragglerFigures.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What uneven work costs a job: the quotient of two replays, with recorded and with typical durations; then one group of
 * operations after another as recorded among typical ones. Confined to one thread.
 */
public final class StragglerAnalysis {
    private static final int PERCENT_OF_WORKERS = 3;
    private static final int HUNDRED = 100;

    private final OperationTable table;
    private final StragglerOptions options;
    private final StragglerRules rules;
    private final Recording recording;
    private final Template template;
    private final JobGraph graph;
    private final double[] typical;
    private final Times recorded;
    private final Times ideal;

    private StragglerAnalysis(OperationTable table, StragglerOptions options, StragglerRules rules)
            throws TraceFormatException {
        this.table = table;
        this.options = options;
        this.rules = rules;
        recording = Recording.of(table, options, rules);
        template = recording.template;
        graph = new JobGraph(recording, rules.ticks());
        typical = new TypicalWork(recording, rules).of(rules.ideal(options.ideal()));
        recorded = graph.of(recording.work, null);
        ideal = graph.of(typical, null);
    }

    /**
     * Analyses a table.
     *
     * @throws TraceFormatException when it has not the operations of a job, naming what is missing
     */
    public static StragglerFigures of(OperationTable table, StragglerOptions options, StragglerRules rules)
            throws TraceFormatException {
        return new StragglerAnalysis(table, options, rules).figures();
    }

    private StragglerFigures figures() {
        double slowdown = (rules.endsWithOptimizer() ? recorded.step() : recorded.span()) / ideal.step();
        double unexplained = Times.mean(recording.span) / recorded.step();
        Groups kept = slowdown < options.threshold()
                ? null
                : groups(v -> template.names.get(v).type().label(), this::kept, ideal);
        Groups delayed =
                unexplained < options.threshold() ? null : groups(template::launchLabel, this::delayed, recorded);
        Workers workers = kept == null ? null : workers(kept);
        Share worst = workers == null ? null : share((d, v) -> isAmong(workers.chosen(), recording.workerOf(d, v)));
        int last = template.stages - 1;
        Share lastStage = share((d, v) -> template.names.get(v).stage() == last);
        return new StragglerFigures(
                new StragglerFigures.Job(
                        table.source,
                        recording.dpRanks,
                        template.stages,
                        template.chunks,
                        microBatches(),
                        rules.ideal(options.ideal())),
                rules.second(),
                recording.steps,
                recording.span,
                recorded.spans(),
                ideal.spans(),
                recorded.steps(),
                ideal.steps(),
                slowdown,
                unexplained,
                kept,
                delayed,
                workers,
                worst,
                lastStage,
                odd(),
                !rules.endsWithOptimizer());
    }

    private int microBatches() {
        long passes = template.names.stream()
                .filter(name -> name.stage() == 0 && name.type() == OperationType.FORWARD_COMPUTE)
                .count();
        return (int) (passes / template.chunks);
    }

    private StragglerFigures.Odd odd() {
        Recording.Oddities found = recording.oddities;
        return new StragglerFigures.Odd(
                found.unmodelled(),
                found.backwards(),
                found.worst(),
                found.reordered(),
                found.left(),
                new TypicalWork(recording, rules).passesGoTogether());
    }

    /** One replay for each type, data-parallel rank and stage. */
    private Groups groups(IntFunction<String> label, Scenario scenario, Times without) {
        Set<String> labels =
                IntStream.range(0, template.size()).mapToObj(label).collect(Collectors.toCollection(TreeSet::new));
        List<GroupSlowdown> types = new ArrayList<>();
        for (String one : labels) {
            types.add(GroupSlowdown.of(one, scenario.of((d, v) -> label.apply(v).equals(one)), without));
        }
        List<GroupSlowdown> ranks = new ArrayList<>();
        for (int rank = 0; rank < recording.dpRanks; rank++) {
            int one = rank;
            ranks.add(GroupSlowdown.of(Integer.toString(rank), scenario.of((d, v) -> d == one), without));
        }
        List<GroupSlowdown> stages = new ArrayList<>();
        for (int stage = 0; stage < template.stages; stage++) {
            int one = stage;
            stages.add(GroupSlowdown.of(
                    Integer.toString(stage),
                    scenario.of((d, v) -> template.names.get(v).stage() == one),
                    without));
        }
        return new Groups(sorted(types), sorted(ranks), sorted(stages));
    }

    private static List<GroupSlowdown> sorted(List<GroupSlowdown> unsorted) {
        return unsorted.stream()
                .sorted(Comparator.comparingDouble(GroupSlowdown::price).reversed())
                .toList();
    }

    private interface Scenario {
        /** @param of whether the operation at a vertex of a data-parallel rank belongs to the group */
        Times of(BiPredicate<Integer, Integer> of);
    }

    private Times kept(BiPredicate<Integer, Integer> of) {
        return graph.of(mixed(of, recording.work, typical), null);
    }

    private Times delayed(BiPredicate<Integer, Integer> of) {
        return graph.of(recording.work, mixed(of, recording.delay, new double[recording.delay.length]));
    }

    /** Some operations from one, all others from the other. */
    private double[] mixed(BiPredicate<Integer, Integer> of, double[] inside, double[] outside) {
        double[] mixed = outside.clone();
        for (int d = 0; d < recording.dpRanks; d++) {
            for (int v = 0; v < template.size(); v++) {
                if (of.test(d, v)) {
                    for (int s = 0; s < recording.steps.length; s++) {
                        int cell = recording.cell(s, d, v);
                        mixed[cell] = inside[cell];
                    }
                }
            }
        }
        return mixed;
    }

    private Share share(BiPredicate<Integer, Integer> of) {
        double removed = measured(graph.of(mixed(of, typical, recording.work), null));
        double added = measured(graph.of(mixed(of, recording.work, typical), null));
        return new Share(removed, added, measured(recorded), measured(ideal));
    }

    private double measured(Times times) {
        return rules.endsWithOptimizer() ? times.step() : times.span();
    }

    private Workers workers(Groups kept) {
        int[] ranks = recording.worker;
        double[] scores = new double[ranks.length];
        List<GroupSlowdown> replays = new ArrayList<>();
        if (ranks.length <= rules.mostWorkersReplayed()) {
            for (int w = 0; w < ranks.length; w++) {
                int one = w;
                GroupSlowdown slowdown = GroupSlowdown.of(
                        Integer.toString(ranks[w]), kept((d, v) -> recording.workerOf(d, v) == one), ideal);
                replays.add(slowdown);
                scores[w] = slowdown.price();
            }
        } else {
            double[] byRank = prices(kept.dataParallelRanks());
            double[] byStage = prices(kept.stages());
            for (int w = 0; w < ranks.length; w++) {
                scores[w] = Math.min(byRank[w / template.stages], byStage[w % template.stages]);
            }
        }
        return new Workers(ranks, scores, List.copyOf(replays), chosen(ranks, scores));
    }

    private static double[] prices(List<GroupSlowdown> slowdowns) {
        double[] prices = new double[slowdowns.size()];
        slowdowns.forEach(one -> prices[Integer.parseInt(one.label())] = one.price());
        return prices;
    }

    /** The worst few of the hundred workers, at least one. */
    private static int[] chosen(int[] ranks, double[] scores) {
        int distinct = (int) Arrays.stream(ranks).distinct().count();
        int count = Math.ceilDiv(PERCENT_OF_WORKERS * distinct, HUNDRED);
        return IntStream.range(0, ranks.length)
                .boxed()
                .sorted(Comparator.comparingDouble((Integer w) -> -scores[w]).thenComparingInt(w -> ranks[w]))
                .limit(count)
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private static boolean isAmong(int @Nullable [] chosen, int worker) {
        return chosen != null && Arrays.stream(chosen).anyMatch(w -> w == worker);
    }
}
