// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Writes the dumps of a job that hangs, and beside them the truth: who did it, and what may be said of it. */
public final class HangRun {
    private static final int TRIALS = 400;
    private static final int LEAST_STEPS = 3;
    private static final int[] AHEAD = {1, 2, 4, 12};
    private static final List<String> LIBRARIES = List.of("nccl", "nccl", "nccl", "xccl", "hccl", "gloo");

    /**
     * What happened.
     *
     * @param culprits ranks whose doing it is; empty where nobody's
     * @param kind what the dumps say of it: what they show of calls depends on how far the host ran ahead
     * @param missing ranks that leave no dump though they did nothing wrong
     */
    public record Truth(HangRecipe recipe, List<Integer> culprits, String kind, List<Integer> missing) {
        /** Copies the lists. */
        public Truth {
            culprits = List.copyOf(culprits);
            missing = List.copyOf(missing);
        }
    }

    /** A job with its fault. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Planted(List<List<HangCall>> calls, byte[][] states, List<Integer> culprits, int group) {}

    private final HangRecipe recipe;
    private final SplitMix random;
    private final HangProgram program;
    private final List<List<HangCall>> steps = new ArrayList<>();
    private final int ahead;

    private HangRun(HangRecipe recipe) {
        this.recipe = recipe;
        random = new SplitMix(recipe.seed(), recipe.fault().ordinal());
        program = new HangProgram(recipe.ranks(), recipe.fault().isOfMessages(), random);
        ahead = AHEAD[(int) (random.uniform() * AHEAD.length)];
        for (int rank = 0; rank < recipe.ranks(); rank++) {
            steps.add(program.step(rank));
        }
    }

    /** Writes the dumps and the truth into a folder. */
    public static Truth write(Path directory, HangRecipe recipe, Workers workers) throws IOException {
        return new HangRun(recipe).write(directory, workers);
    }

    private Truth write(Path directory, Workers workers) throws IOException {
        Planted planted = planted();
        boolean timed = recipe.fault() == HangFault.STUCK_BEFORE || random.uniform() < 0.5;
        String library = LIBRARIES.get((int) (random.uniform() * LIBRARIES.size()));
        boolean graphs = !library.equals("gloo") && random.uniform() < 0.3;
        HangDump.Look look = new HangDump.Look(library, random.uniform() < 0.85, timed, graphs, recipe.mixed());
        int longest = steps.stream().mapToInt(List::size).max().orElse(0) * (program.batched ? 2 : 1);
        int entries = Math.max(recipe.entries(), LEAST_STEPS * longest);
        boolean none = recipe.fault() == HangFault.NEVER_STARTED;
        int before = none ? 0 : Math.max(LEAST_STEPS, entries / longest + (random.uniform() < 0.5 ? 2 : -1));
        boolean dead = recipe.fault() == HangFault.DEAD || recipe.fault() == HangFault.DEAD_NODE;
        List<Integer> missing = missing(planted);
        List<Integer> dumped = IntStream.range(0, recipe.ranks())
                .filter(rank -> !missing.contains(rank) && !(dead && planted.culprits.contains(rank)))
                .boxed()
                .toList();
        Truth truth = new Truth(recipe, planted.culprits, kind(planted, look.frames()), missing);
        try (Output output = new Output()) {
            Map<Integer, OutputStream> files = new HashMap<>();
            for (int rank : dumped) {
                files.put(rank, OutputFile.createClosed(output, directory, "nccl_trace_rank_" + rank));
            }
            workers.forEach(dumped, rank -> {
                SplitMix own = new SplitMix(recipe.seed(), 1000L + rank);
                boolean seen =
                        recipe.fault() == HangFault.STUCK_BEFORE || !recipe.mixed() ? timed : own.uniform() < 0.5;
                byte[] bytes = new HangDump(program, rank, look.timed(seen), entries, own)
                        .bytes(before, steps.get(rank), planted.calls.get(rank), planted.states[rank]);
                try (OutputStream out = Objects.requireNonNull(files.get(rank), "one for each")) {
                    out.write(bytes);
                }
            });
            TruthJson.write(output, directory, json(truth));
            output.commit();
        }
        return truth;
    }

    private String kind(Planted planted, boolean frames) {
        int culprit = planted.culprits.isEmpty() ? 0 : planted.culprits.getFirst();
        int made = 0;
        while (made < planted.states[culprit].length && planted.states[culprit][made] != HangSimulation.NOT_CALLED) {
            made++;
        }
        return HangEdits.kind(
                recipe.fault(), steps.get(culprit), planted.calls.get(culprit).subList(0, made), frames);
    }

    private Map<String, Object> json(Truth truth) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("hang", recipe.fault().word());
        json.put("seed", recipe.seed());
        json.put("ranks", recipe.ranks());
        json.put("tensor", program.tensor);
        json.put("stages", program.stages);
        json.put("replicas", program.replicas);
        json.put("ahead", ahead);
        json.put("culprits", truth.culprits);
        json.put("kind", truth.kind);
        json.put("missing", truth.missing);
        return json;
    }

    private List<Integer> missing(Planted planted) {
        TreeSet<Integer> spared = new TreeSet<>(planted.culprits);
        if (planted.group > 0) {
            for (int rank : program.groups().get(planted.group).ranks()) {
                spared.add(rank);
            }
        }
        boolean all = recipe.fault() == HangFault.NETWORK && planted.group == 0;
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < recipe.ranks() && !all; rank++) {
            if (!spared.contains(rank) && random.uniform() < recipe.missing()) {
                missing.add(rank);
            }
        }
        return missing;
    }

    private Planted planted() {
        for (int trial = 0; trial < TRIALS; trial++) {
            Planted planted = trial();
            if (planted != null) {
                return planted;
            }
        }
        throw new IllegalArgumentException("no " + recipe.fault().word() + " in a job of " + recipe.ranks()
                + " ranks: other ranks or another seed");
    }

    /** One attempt; null where nothing hangs, or something else. */
    private @Nullable Planted trial() {
        HangFault fault = recipe.fault();
        int culprit = below(recipe.ranks());
        List<List<HangCall>> calls = new ArrayList<>();
        for (List<HangCall> step : steps) {
            List<HangCall> both = new ArrayList<>(step);
            if (fault != HangFault.NONE) {
                both.addAll(step);
            }
            calls.add(both);
        }
        List<HangCall> own = calls.get(culprit);
        int place = below(own.size() / 2 + (fault == HangFault.NONE ? own.size() / 2 : 0));
        List<Integer> culprits = List.of(culprit);
        HangSimulation.Broken broken = HangSimulation.Broken.NOTHING;
        HangCall call = own.get(place);
        int group = call.group();
        int members = program.groups().get(group).ranks().length;
        switch (fault) {
            case NONE -> culprits = List.of();
            case ABSENT, DEAD -> own.subList(place, own.size()).clear();
            case NEVER_STARTED, EARLY_EXIT -> own.clear();
            case DEAD_NODE -> {
                int size = Math.min(8, recipe.ranks() / 4);
                int from = culprit / size * size;
                culprits = IntStream.range(from, Math.min(from + size, recipe.ranks()))
                        .boxed()
                        .toList();
                for (int rank : culprits) {
                    calls.get(rank)
                            .subList(
                                    Math.min(place, calls.get(rank).size() / 2),
                                    calls.get(rank).size())
                            .clear();
                }
            }
            case STUCK_BEFORE, STUCK_INSIDE, NETWORK -> {
                if (call.isMessage() || members < 2 || call.async()) {
                    return null;
                }
                broken = new HangSimulation.Broken(
                        culprit,
                        fault == HangFault.STUCK_BEFORE ? place : -1,
                        fault == HangFault.STUCK_INSIDE ? place : -1,
                        fault == HangFault.NETWORK ? place : -1);
                culprits = fault == HangFault.NETWORK ? List.of() : culprits;
            }
            default -> {
                if (!HangEdits.plant(fault, own, place, program.groupsOf(culprit), program.groups())) {
                    return null;
                }
            }
        }
        byte[][] states = new HangSimulation(program, calls, broken, ahead).run();
        boolean hangs = false;
        for (byte[] ofRank : states) {
            for (byte state : ofRank) {
                hangs |= state == HangSimulation.SCHEDULED || state == HangSimulation.STARTED;
            }
        }
        if (hangs == (fault == HangFault.NONE) || stops(fault) && isOpen(states[culprit])) {
            return null;
        }
        return new Planted(calls, states, culprits, group);
    }

    private static boolean stops(HangFault fault) {
        return fault == HangFault.ABSENT || fault == HangFault.DEAD || fault == HangFault.DEAD_NODE;
    }

    private static boolean isOpen(byte[] states) {
        for (byte state : states) {
            if (state == HangSimulation.SCHEDULED || state == HangSimulation.STARTED) {
                return true;
            }
        }
        return false;
    }

    private int below(int limit) {
        return (int) (random.uniform() * limit);
    }
}
