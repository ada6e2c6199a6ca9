// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.comm.PipelineStep.Gap;
import dev.lockstep.analyze.comm.PipelineStep.Kind;
import dev.lockstep.analyze.comm.PipelineStep.Pass;
import dev.lockstep.analyze.comm.PipelineStep.Stage;
import dev.lockstep.clocks.CommonClock;
import dev.lockstep.derive.CollectiveKind;
import dev.lockstep.derive.RankPasses;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.LongOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The pipelines of a run, known by the messages of their ranks: each sends what it has computed to the next, and gets the
 * gradients of it back. Where ranks exchange messages in other ways there is no pipeline.
 */
public final class Pipelines {
    /** A message between two ranks: places among the ranks of the match, times on the common clock. */
    private record Message(int from, int to, long sent, long asked, long done, String group) {
        long met() {
            return Math.max(sent, asked);
        }
    }

    private final Collectives collectives;
    private final List<Message> messages = new ArrayList<>();
    private final List<PipelineStep> pipelines = new ArrayList<>();
    private final Map<Integer, List<Message>> received = new HashMap<>();
    private String absence = "";
    private int leftOut;

    private Pipelines(Collectives collectives) {
        this.collectives = collectives;
    }

    /** Finds the pipelines of a run. */
    public static Pipelines of(Collectives collectives) {
        Pipelines found = new Pipelines(collectives);
        found.readMessages();
        found.find();
        return found;
    }

    /** Why there is no pipeline, empty if there is one. */
    public String absence() {
        return absence;
    }

    /** How many steps of pipelines were left out, as passes of stages do not fit together. */
    public int leftOut() {
        return leftOut;
    }

    /** Each pipeline in each step. */
    public List<PipelineStep> all() {
        return pipelines;
    }

    private void readMessages() {
        for (Collective one : collectives.all()) {
            if (!one.group().isPair() || one.present() != 2) {
                continue;
            }
            int sender = collectives.match().rank(one.instance(), 0);
            int receiver = collectives.match().rank(one.instance(), 1);
            int sends = 0;
            if (kind(one, 0) != CollectiveKind.SEND) {
                int swapped = sender;
                sender = receiver;
                receiver = swapped;
                sends = 1;
            }
            if (kind(one, sends) != CollectiveKind.SEND || kind(one, 1 - sends) != CollectiveKind.RECEIVE) {
                continue;
            }
            long asked = collectives.start(one.instance(), 1 - sends);
            long done = collectives.end(one.instance(), 1 - sends);
            messages.add(new Message(
                    sender,
                    receiver,
                    collectives.start(one.instance(), sends),
                    asked,
                    done,
                    one.group().name()));
        }
        messages.sort(Comparator.comparingLong(Message::met).thenComparingInt(Message::from));
        messages.forEach(
                m -> received.computeIfAbsent(m.to(), rank -> new ArrayList<>()).add(m));
        received.values().forEach(list -> list.sort(Comparator.comparingLong(Message::done)));
    }

    private CollectiveKind kind(Collective one, int member) {
        int rank = collectives.match().rank(one.instance(), member);
        return collectives
                .rank(rank)
                .call(collectives.match().row(one.instance(), member))
                .kind();
    }

    private void find() {
        if (messages.isEmpty()) {
            absence = "no messages between two ranks were recorded on both sides";
            return;
        }
        Map<Integer, List<Message>> parts = new TreeMap<>();
        int[] part = new int[collectives.match().ranks().size()];
        for (int i = 0; i < part.length; i++) {
            part[i] = i;
        }
        for (Message m : messages) {
            int from = part[m.from()];
            int to = part[m.to()];
            for (int i = 0; from != to && i < part.length; i++) {
                part[i] = part[i] == Math.max(from, to) ? Math.min(from, to) : part[i];
            }
        }
        messages.forEach(m ->
                parts.computeIfAbsent(part[m.from()], key -> new ArrayList<>()).add(m));
        parts.values().forEach(this::findIn);
        if (!pipelines.isEmpty()) {
            absence = "";
        }
        pipelines.sort(Comparator.comparingInt(PipelineStep::step)
                .thenComparing(p -> p.ranks().getFirst()));
    }

    /** Finds a pipeline among ranks that exchange messages, which are in order of time. */
    private void findIn(List<Message> among) {
        List<Integer> chain = chain(among);
        if (chain.isEmpty()) {
            absence = "ranks exchange messages, but not from one to the next";
            return;
        }
        for (int stage = 0; stage < chain.size(); stage++) {
            List<RankPasses.Pass> passes =
                    collectives.rank(chain.get(stage)).passes().all();
            RankPasses.Pass first = passes.stream()
                    .filter(pass -> pass.received() || pass.sends())
                    .findFirst()
                    .orElse(null);
            if (first == null || first.backward() || first.received() != stage > 0) {
                absence = "ranks exchange messages, but do not compute between getting and giving as stages do";
                return;
            }
        }
        List<Map<Integer, List<RankPasses.Pass>>> bySteps = new ArrayList<>();
        Set<Integer> steps = new TreeSet<>();
        for (int rank : chain) {
            Map<Integer, List<RankPasses.Pass>> ofRank = new HashMap<>();
            for (RankPasses.Pass pass : collectives.rank(rank).passes().all()) {
                boolean message = pass.received() || pass.sends();
                if (message || pass.backward()) {
                    ofRank.computeIfAbsent(pass.step(), step -> new ArrayList<>())
                            .add(pass);
                }
                if (message) {
                    steps.add(pass.step());
                }
            }
            bySteps.add(ofRank);
        }
        for (int step : steps) {
            inStep(
                    among.getFirst().group(),
                    chain,
                    step,
                    bySteps.stream()
                            .map(ofRank -> ofRank.getOrDefault(step, List.of()))
                            .toList());
        }
        if (pipelines.isEmpty()) {
            absence = "the passes of the ranks that exchange messages do not fit together in any step";
        }
    }

    /** Ranks from the first stage to the last, by who gives to whom first; empty where they are no chain. */
    private static List<Integer> chain(List<Message> among) {
        Map<Integer, Integer> next = new HashMap<>();
        Set<List<Integer>> pairs = new HashSet<>();
        Set<Integer> followers = new HashSet<>();
        Set<Integer> ranks = new HashSet<>();
        for (Message m : among) {
            ranks.add(m.from());
            ranks.add(m.to());
            List<Integer> pair = List.of(Math.min(m.from(), m.to()), Math.max(m.from(), m.to()));
            if (pairs.add(pair) && (next.put(m.from(), m.to()) != null || !followers.add(m.to()))) {
                return List.of();
            }
        }
        int first = ranks.stream()
                .filter(rank -> !followers.contains(rank))
                .findFirst()
                .orElse(among.getFirst().from());
        List<Integer> chain = new ArrayList<>();
        for (Integer at = first; at != null && !chain.contains(at); at = next.get(at)) {
            chain.add(at);
        }
        return chain.size() == ranks.size() ? chain : List.of();
    }

    private void inStep(String group, List<Integer> chain, int step, List<List<RankPasses.Pass>> passes) {
        long forward = passes.getFirst().stream().filter(p -> !p.backward()).count();
        long given = passes.getFirst().stream()
                .filter(p -> !p.backward() && !p.received())
                .count();
        if (given == 0 || forward % given != 0) {
            leftOut++;
            return;
        }
        Shape shape = new Shape((int) (forward / given), (int) given, atATime(passes.getFirst()));
        long backward = count(passes.getFirst(), Kind.BACKWARD);
        for (List<RankPasses.Pass> ofStage : passes) {
            long own = count(ofStage, Kind.BACKWARD);
            if (count(ofStage, Kind.FORWARD) != forward || own != backward || own != 0 && own != forward) {
                leftOut++;
                return;
            }
        }
        List<Stage> stages = new ArrayList<>();
        for (int stage = 0; stage < chain.size(); stage++) {
            stages.add(stage(chain.get(stage), passes.get(stage), shape));
        }
        List<Integer> ranks =
                chain.stream().map(rank -> collectives.rank(rank).rank()).toList();
        long start = stages.stream()
                .mapToLong(s -> s.passes().getFirst().start())
                .min()
                .orElse(0);
        List<Stage> timed = new ArrayList<>();
        for (int stage = 0; stage < chain.size(); stage++) {
            timed.add(explained(chain, stage, stages.get(stage), start));
        }
        pipelines.add(new PipelineStep(group, step, ranks, shape.chunks(), shape.microBatches(), timed));
    }

    /** How many micro-batches go through the first chunk before the next one: those that the first stage begins with. */
    private static int atATime(List<RankPasses.Pass> firstStage) {
        int count = 0;
        for (RankPasses.Pass pass : firstStage) {
            if (!pass.backward() && pass.received()) {
                break;
            }
            count += pass.backward() ? 0 : 1;
        }
        return count;
    }

    /**
     * What goes through a stage.
     *
     * @param atATime micro-batches that go through a chunk before the next chunk; the last ones may be fewer
     */
    private record Shape(int chunks, int microBatches, int atATime) {
        /** The chunk and micro-batch of a pass by its place among those of its direction. */
        Part part(int nth, boolean backward) {
            int before = nth / (atATime * chunks) * atATime;
            int together = Math.min(atATime, microBatches - before);
            int turn = (nth - before * chunks) / together;
            return new Part(backward ? chunks - 1 - turn : turn, before + (nth - before * chunks) % together);
        }
    }

    /** A micro-batch in a chunk. */
    private record Part(int chunk, int microBatch) {}

    private static final Part UNKNOWN = new Part(-1, -1);

    private static long count(List<RankPasses.Pass> passes, Kind kind) {
        return passes.stream().filter(pass -> kind(pass) == kind).count();
    }

    private static Kind kind(RankPasses.Pass pass) {
        boolean weights = pass.purpose().putOff() || pass.backward() && !pass.received() && !pass.sends();
        return weights ? Kind.WEIGHTS : pass.backward() ? Kind.BACKWARD : Kind.FORWARD;
    }

    /** Numbers the passes: forward ones by their order, gradients by the forward pass that they belong to, else by theirs. */
    private Stage stage(int place, List<RankPasses.Pass> passes, Shape shape) {
        CommonClock clock = collectives.clock();
        List<RankPasses.Pass> all = collectives.rank(place).passes().all();
        Map<RankPasses.Pass, Part> parts = new HashMap<>();
        for (RankPasses.Pass pass : passes) {
            if (kind(pass) == Kind.FORWARD) {
                parts.put(pass, shape.part(parts.size(), false));
            }
        }
        Map<Kind, Set<Part>> linked = new EnumMap<>(Kind.class);
        Map<Kind, Integer> seen = new EnumMap<>(Kind.class);
        for (RankPasses.Pass pass : passes) {
            Part part = pass.purpose().forward() < 0
                    ? null
                    : parts.get(all.get(pass.purpose().forward()));
            if (part != null) {
                linked.computeIfAbsent(kind(pass), kind -> new HashSet<>()).add(part);
            }
            seen.merge(kind(pass), 1, Integer::sum);
        }
        List<Pass> numbered = new ArrayList<>();
        int backward = 0;
        for (RankPasses.Pass pass : passes) {
            Kind kind = kind(pass);
            Part part = kind == Kind.FORWARD ? parts.get(pass) : UNKNOWN;
            if (linked.getOrDefault(kind, Set.of()).size() == seen.getOrDefault(kind, 0)) {
                part = parts.get(all.get(pass.purpose().forward()));
            } else if (kind == Kind.BACKWARD) {
                part = shape.part(backward++, true);
            }
            part = part == null ? UNKNOWN : part;
            long launched = pass.launched() == LongColumn.ABSENT ? LongColumn.ABSENT : clock.at(place, pass.launched());
            // the gap holds when the pass was launched until it is explained
            Gap open = new Gap(0, -1, 0, launched, 0);
            numbered.add(new Pass(
                    kind,
                    part.chunk(),
                    part.microBatch(),
                    clock.at(place, pass.start()),
                    clock.at(place, pass.end()),
                    pass.busy(),
                    open,
                    0));
        }
        numbered.sort(Comparator.comparingLong(Pass::start));
        return new Stage(numbered);
    }

    /** Says for each pass what the stage waited for before it, from a moment on. */
    private Stage explained(List<Integer> chain, int stage, Stage given, long start) {
        List<Message> messagesHere = received.getOrDefault(chain.get(stage), List.of());
        List<Pass> passes = new ArrayList<>();
        long reached = start;
        int next = doneBy(messagesHere, start);
        for (Pass pass : given.passes()) {
            Message last = null;
            for (; next < messagesHere.size() && messagesHere.get(next).done() <= pass.start(); next++) {
                last = messagesHere.get(next).done() >= reached ? messagesHere.get(next) : null;
            }
            long launched = pass.gap().launching();
            Gap gap = gap(chain, reached, pass.start(), launched, last);
            long transfer = last == null ? 0 : last.done() - last.met();
            passes.add(new Pass(
                    pass.kind(),
                    pass.chunk(),
                    pass.microBatch(),
                    pass.start(),
                    pass.end(),
                    pass.busy(),
                    gap,
                    transfer));
            reached = Math.max(reached, pass.end());
        }
        return new Stage(passes);
    }

    /** Place of the first message that is done at a moment or later; they are in this order. */
    private static int doneBy(List<Message> messages, long moment) {
        return LongOrder.leading(messages.size(), place -> messages.get(place).done() < moment);
    }

    private static Gap gap(List<Integer> chain, long from, long to, long launched, @Nullable Message last) {
        long at = Math.min(from, to);
        long waiting = 0;
        long transferring = 0;
        long launching = 0;
        int waitedFor = -1;
        if (last != null) {
            waiting = Math.max(0, Math.min(to, last.sent()) - at);
            waitedFor = waiting > 0 ? chain.indexOf(last.from()) : -1;
            at += waiting;
            launching = Math.max(0, Math.min(to, last.asked()) - at);
            at += launching;
            transferring = Math.max(0, Math.min(to, last.done()) - at);
            at += transferring;
        }
        long late = launched == LongColumn.ABSENT ? 0 : Math.max(0, Math.min(to, launched) - at);
        return new Gap(waiting, waitedFor, transferring, launching + late, Math.max(0, to - at - late));
    }
}
