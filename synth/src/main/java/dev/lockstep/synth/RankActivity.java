// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.GraphLaunch;
import dev.lockstep.synth.HostAction.Launch;
import dev.lockstep.synth.HostAction.Node;
import dev.lockstep.synth.HostAction.RuntimeCall;
import dev.lockstep.synth.HostAction.Synchronize;
import dev.lockstep.synth.HostAction.Work;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rank at work: its threads' and streams' clocks, its counters, and what it has recorded in this step. All times are
 * true nanoseconds since the start of the run. Confined to one thread at a time.
 */
final class RankActivity {
    private static final int REMEMBERED = 16;
    /** The end of what is enqueued but not yet known to end: a transfer whose other side has not come. */
    private static final long PENDING = Long.MAX_VALUE;

    /** How far ahead a host is that never holds its device up. */
    private static final double AHEAD = 0.01;

    private final TraceRecipe recipe;
    private final RankPlace place;
    private final KindTable kinds;
    private SplitMix random;
    private final SplitMix furtherWork;
    private final Regularity timing;
    private final RankTrouble trouble;
    private final @Nullable SyncKinds syncs;
    private final EdgeLog edges = new EdgeLog();
    private final StreamEvents streamEvents;
    private final PassLog passes = new PassLog();
    private final EventList events = new EventList();
    private final OpenCalls open = new OpenCalls();
    private final double slowdown;
    private final double contention;

    private Lane thread = Lane.MAIN;
    private long now;
    private final long[] streams = new long[Lane.values().length];
    private final long[] ended = new long[Lane.values().length];
    private final int[] enqueued = new int[Lane.values().length];
    private final long[] slots;
    private final long[] busyFrom = new long[REMEMBERED];
    private final long[] busyUntil = new long[REMEMBERED];
    private int collectives;

    private final long[] groupSequence = new long[Lane.values().length];
    private final List<LongList> waitingNumbers = new ArrayList<>();
    private final List<LongList> putOffNumbers = new ArrayList<>();
    private int part;
    private double owedWork;
    private final long[] lastCall = {-1, -1};
    private boolean handedOver;
    private int step;
    private long autogradNumber;
    private long currentNumber;
    private long externalId;
    private long correlation;
    private long pythonId;

    private long computeNanos;
    private double excessNanos;

    /** @param syncs how waiting is recorded, null where it is not */
    RankActivity(TraceRecipe recipe, RankPlace place, KindTable kinds, int slots, @Nullable SyncKinds syncs) {
        this.recipe = recipe;
        this.place = place;
        this.kinds = kinds;
        this.syncs = syncs;
        this.slots = new long[slots];
        timing = recipe.disturbance().timing();
        trouble = new RankTrouble(recipe, place.rank());
        streamEvents = new StreamEvents(slots, edges);
        random = new SplitMix(recipe.seed(), place.rank());
        furtherWork = new SplitMix(recipe.seed(), 5_000_000_000L + place.rank());
        slowdown = recipe.disturbance().stragglerRank() == place.rank()
                ? recipe.disturbance().slowdown()
                : 1;
        contention = timing == Regularity.VARIED ? new CollectiveModel(recipe).contention() : 0;
        now = 2_000_000 + random.about(150_000);
        correlation = 1_000 + place.rank() * 17L;
        Arrays.fill(streams, now);
    }

    RankPlace place() {
        return place;
    }

    EventList events() {
        return events;
    }

    long now() {
        return now;
    }

    /** Sum of the durations of compute kernels since the last call. */
    long takeComputeNanos() {
        long taken = computeNanos;
        computeNanos = 0;
        return taken;
    }

    EdgeLog edges() {
        return edges;
    }

    PassLog passes() {
        return passes;
    }

    /** How long the host has paused since the last call. */
    long takePausedNanos() {
        return trouble.takePausedNanos();
    }

    /** What the slowdown added to the compute kernels since the last call. */
    long takeExcessNanos() {
        long taken = Math.round(excessNanos);
        excessNanos = 0;
        return taken;
    }

    void open(EventKind kind, long number) {
        pass(800);
        long first = kind.category() == Category.PYTHON_FUNCTION ? ++pythonId : ++externalId;
        int row = events.append(kind, thread, now, now);
        events.say(row, first, parent(kind), number);
        open.push(kind, thread, row, first);
        pass(300);
    }

    private long parent(EventKind kind) {
        return kind.category() == Category.PYTHON_FUNCTION ? open.python() : 0;
    }

    void close() {
        pass(500);
        events.end(open.row(), now);
        if (open.kind().category() == Category.USER_ANNOTATION) {
            open.twins(kinds.twin(open.kind()), events);
        }
        open.pop();
    }

    void onThread(boolean autograd) {
        pass(18_000);
        thread = autograd ? Lane.AUTOGRAD : Lane.MAIN;
        handedOver = true;
    }

    /** Whether all is known that an instruction depends on: ends of transfers may not be, until the other side has come. */
    boolean isReady(Instruction instruction) {
        return switch (instruction) {
            case Instruction.Await await -> slots[await.slot()] != PENDING;
            case Instruction.Communicate communicate ->
                slots[communicate.after()] != PENDING
                        && streams[communicate.collective().lane().index()] != PENDING;
            default -> true;
        };
    }

    /** The same but for a transfer that is enqueued behind one whose other side has not come. */
    boolean isReadyToEnqueue(Instruction instruction) {
        return instruction instanceof Instruction.Communicate communicate
                && communicate.collective().kind().isTransfer()
                && slots[communicate.after()] != PENDING;
    }

    void mark(int slot) {
        recordEvent(Lane.COMPUTE, slot);
        slots[slot] = Math.max(now, streams[Lane.COMPUTE.index()]);
    }

    void await(int slot) {
        awaitEvent(Lane.COMPUTE, slot);
        int compute = Lane.COMPUTE.index();
        streams[compute] = Math.max(streams[compute], slots[slot]);
    }

    private void recordEvent(Lane lane, int slot) {
        if (syncs != null) {
            runtime(syncs.record(), 1_000, 0);
        }
        streamEvents.record(lane, slot, correlation);
    }

    private void awaitEvent(Lane lane, int slot) {
        Lane from = streamEvents.recordedOn(slot);
        if (from == null) {
            return;
        }
        if (syncs != null) {
            long begin = now;
            runtime(syncs.await(), 1_000, 0);
            int row = events.append(
                    syncs.streamWait(lane, from), lane, begin + (now - begin) / 4, now - (now - begin) / 4);
            events.say(row, correlation, correlation, streamEvents.recordedBy(slot));
        }
        streamEvents.await(lane, slot);
    }

    /** Leaves numbers of forward ops with this part of the work, and takes them from it. */
    void batch(int index) {
        part = index;
    }

    void passing(Instruction.Passing passing) {
        if (passing.begins()) {
            passes.begin();
        } else {
            passes.end(step, passing.work());
        }
    }

    /** Lets the host pause before an instruction of the step, if something is wrong with it. */
    void trouble(int instruction) {
        now += trouble.pause(false, instruction);
        long garbage = trouble.pause(true, instruction);
        if (garbage > 0) {
            if (recipe.recording().pythonStacks()) {
                EventKind kind = kinds.python("Python GC");
                int row = events.append(kind, thread, now, now + garbage);
                events.say(row, ++pythonId, parent(kind), 0);
            }
            now += garbage;
        }
    }

    void run(HostAction action) {
        run(action, 0);
    }

    /** Reads a value back, if the rank does so behind this layer. */
    void read(Instruction.Read read) {
        if (trouble.reads(read.layer())) {
            run(read.action());
        }
    }

    private void run(HostAction action, long external) {
        switch (action) {
            case Call call -> run(call);
            case Launch launch -> run(launch, external);
            case GraphLaunch graph -> run(graph, external);
            case RuntimeCall call -> runtime(call.runtime(), call.host(), external);
            case Synchronize synchronize -> run(synchronize, external);
        }
    }

    private void run(Call call) {
        switch (call.numbering()) {
            case FORWARD -> {
                currentNumber = ++autogradNumber;
                numbers(waitingNumbers).add(currentNumber);
            }
            case BACKWARD -> currentNumber = numbers(waitingNumbers).removeLast();
            case INPUTS -> {
                currentNumber = numbers(waitingNumbers).removeLast();
                numbers(putOffNumbers).add(currentNumber);
            }
            case PUT_OFF -> currentNumber = numbers(putOffNumbers).removeLast();
            case NONE, SAME -> {}
        }
        boolean python = call.kind().category() == Category.PYTHON_FUNCTION;
        long first = python ? ++pythonId : ++externalId;
        int row = events.append(call.kind(), thread, now, now);
        events.say(row, first, parent(call.kind()), currentNumber);
        if (python) {
            open.push(call.kind(), thread, row, first);
        }
        pass(call.lead());
        List<HostAction> body = call.body();
        for (int i = 0; i < body.size(); i++) {
            run(body.get(i), first);
        }
        pass(call.tail());
        events.end(row, now);
        if (python) {
            open.pop();
        }
        pass(250);
    }

    /** The numbers that this part of the work has left. */
    private LongList numbers(List<LongList> all) {
        while (all.size() <= part) {
            all.add(new LongList(64));
        }
        return all.get(part);
    }

    private void run(Launch launch, long external) {
        issue(launch, external);
        workMore(launch, external);
    }

    /** Launches again what this rank has more of than others. */
    private void workMore(Launch launch, long external) {
        if (launch.device().category() != Category.KERNEL || trouble.work() == 1) {
            return;
        }
        for (owedWork += trouble.work() - 1; owedWork >= 1; owedWork--) {
            SplitMix usual = random;
            random = furtherWork;
            excessNanos += issue(launch, external);
            random = usual;
        }
    }

    /** Launches once; returns how long it takes. */
    private long issue(Launch launch, long external) {
        long begin = now;
        long issued = runtime(launch.runtime(), launch.host(), external);
        long launching = latency(4_600);
        long following = latency(1_000);
        return execute(
                new Node(launch, launch.device()),
                external,
                0,
                begin,
                new StreamEvents.Costs(issued - begin + launching, following, following));
    }

    /** Nodes follow each other sooner than kernels that are launched one by one. What there is more of is not in the graph. */
    private void run(GraphLaunch graph, long external) {
        long begin = now;
        long issued = runtime(graph.runtime(), graph.host(), external);
        long launching = latency(5_400);
        int count = graph.nodes().size();
        for (int i = 0; i < count; i++) {
            long ready = graph.atOnce() ? issued : begin + (issued - begin) * (i + 1) / count;
            long following = latency(i == 0 ? 1_000 : graph.atOnce() ? 700 : 2);
            execute(
                    graph.nodes().get(i),
                    external,
                    (long) graph.graph() << Integer.SIZE | i + 1,
                    begin,
                    new StreamEvents.Costs(ready - begin + launching, following, following));
        }
        graph.nodes().forEach(node -> workMore(node.launch(), external));
    }

    /**
     * Runs what a call has launched; returns how long it takes.
     *
     * @param node id of the node of a graph, 0 for what was launched alone
     * @param begin of the call
     */
    private long execute(Node launched, long external, long node, long begin, StreamEvents.Costs costs) {
        Lane lane = Lane.COMPUTE;
        long activity = EdgeLog.activity(correlation, (int) node);
        streamEvents.enqueue(lane, correlation, activity, costs);
        long start = Math.max(begin + costs.launch(), streams[lane.index()] + costs.stream());
        Work work = launched.launch().work();
        boolean compute = launched.device().category() == Category.KERNEL;
        long delay = trouble.delay(activity);
        long end = start + duration(work, start, compute) + delay;
        if (compute) {
            passes.ran(start, end);
            computeNanos += delay;
            excessNanos += delay;
        }
        streams[lane.index()] = end;
        int row = events.append(launched.device(), lane, start, end);
        events.say(row, external, correlation, node == 0 ? work.bytes() : node);
        open.covered(thread, lane, start, end);
        return end - start;
    }

    private long duration(Work work, long start, boolean compute) {
        double undisturbed = timing == Regularity.VARIED ? varied(work) : work.nanos();
        double slow = compute ? undisturbed * slowdown * trouble.device() : undisturbed;
        slow = work.contention() == 1 ? slow / trouble.clock() : slow;
        double share = overlap(start, start + (long) slow) / slow;
        double factor = 1 + work.contention() * contention * share;
        long nanos = Math.max(100, (long) (slow * factor));
        if (compute) {
            computeNanos += nanos;
            excessNanos += (slow - undisturbed) * factor;
        }
        return nanos;
    }

    private double varied(Work work) {
        double nanos = work.nanos() * (1 + work.spread() * random.bell());
        if (work.contention() == 1 && random.uniform() < 0.01) {
            nanos *= 1.1 + 0.4 * random.uniform();
        }
        return nanos;
    }

    /** How long a collective runs between two times; collectives that overlap each other count twice, up to the whole. */
    private double overlap(long from, long until) {
        long sum = 0;
        for (int i = 0; i < REMEMBERED; i++) {
            sum += Math.max(0, Math.min(until, busyUntil[i]) - Math.max(from, busyFrom[i]));
        }
        return Math.min(sum, until - from);
    }

    /** Records the call and returns when it had issued its work. */
    private long runtime(EventKind kind, long host, long external) {
        int row = beginCall(kind, external);
        pass(host);
        events.end(row, now);
        long issued = now;
        pass(200);
        return issued;
    }

    private int beginCall(EventKind kind, long external) {
        correlation++;
        int row = events.append(kind, thread, now, now);
        events.say(row, external, correlation, 0);
        int other = Lane.MAIN.index() + Lane.AUTOGRAD.index() - thread.index();
        long before = lastCall[handedOver ? other : thread.index()];
        if (before >= 0) {
            edges.add(handedOver ? EdgeLog.Kind.HAND_OVER : EdgeLog.Kind.THREAD, before, correlation, 0);
        }
        lastCall[thread.index()] = correlation;
        handedOver = false;
        return row;
    }

    private void run(Synchronize synchronize, long external) {
        long begin = now;
        int row = beginCall(synchronize.runtime(), external);
        pass(2_000);
        long drained = streams[Lane.COMPUTE.index()];
        for (int stream = Lane.COMPUTE.index() + 1; synchronize.all() && stream < streams.length; stream++) {
            drained = Math.max(drained, streams[stream]);
        }
        long returning = latency(3_000);
        streamEvents.synchronize(synchronize.all(), Lane.COMPUTE, correlation, returning);
        now = Math.max(now, drained + returning);
        events.end(row, now);
        if (syncs != null) {
            EventKind kind = syncs.blocked(synchronize.all());
            Lane lane = synchronize.all() ? Lane.CONTEXT : Lane.COMPUTE;
            int sync = events.append(kind, lane, begin + (now - begin) / 4, now - (now - begin) / 4);
            events.say(sync, correlation, correlation, 0);
        }
        pass(400);
    }

    /** Issues the rank's part of a collective; {@link #finish} must follow with the time it ends. */
    Arrival arrive(Instruction.Communicate communicate) {
        StepCollective collective = communicate.collective();
        int after = communicate.after();
        Lane lane = collective.lane();
        long sequence = ++groupSequence[lane.index()];
        long op = ++externalId;
        int opRow = events.append(collective.op(), thread, now, now);
        events.say(opRow, op, 0, 0);
        pass(3_500);
        long record = ++externalId;
        int recordRow = events.append(collective.record(), thread, now, now);
        events.say(recordRow, record, 0, sequence);
        pass(5_000);
        int annotationRow = events.append(collective.annotation(), thread, now, now);
        events.say(annotationRow, ++externalId, 0, 0);
        long annotation = externalId;
        pass(2_500);
        awaitEvent(lane, after);
        long begin = now;
        long issued = runtime(collective.runtime(), 6_500, record);
        long launched = correlation;
        pass(1_500);
        events.end(annotationRow, now);
        pass(2_000);
        events.end(recordRow, now);
        pass(1_200);
        events.end(opRow, now);
        pass(400);
        long following = latency(1_100);
        long waiting = latency(1_400);
        long launching = latency(5_200);
        long activity = EdgeLog.activity(launched, 0);
        streamEvents.enqueue(
                lane, launched, activity, new StreamEvents.Costs(issued - begin + launching, following, waiting));
        recordEvent(lane, communicate.done());
        long earliest = Math.max(issued + launching, slots[after] + waiting);
        if (streams[lane.index()] != PENDING) {
            ended[lane.index()] = streams[lane.index()];
        }
        streams[lane.index()] = PENDING;
        slots[communicate.done()] = PENDING;
        enqueued[lane.index()]++;
        return new Arrival(earliest, following, record, annotation, launched, sequence);
    }

    /**
     * When a rank joins a collective, and the ids under which it does.
     *
     * @param earliest if its stream is free by then
     * @param following from the end of what runs before it on its stream
     */
    record Arrival(long earliest, long following, long external, long annotation, long correlation, long sequence) {}

    /** When a collective starts that is next on its stream. */
    long start(Lane lane, Arrival arrival) {
        return Math.max(arrival.earliest(), ended[lane.index()] + arrival.following());
    }

    /** The collective ends that is next on its stream; it has been running since its last member came. */
    void finish(Instruction.Communicate communicate, Arrival arrival, long running, long end) {
        StepCollective collective = communicate.collective();
        Lane lane = collective.lane();
        long start = start(lane, arrival);
        int kernel = events.append(collective.kernel(), lane, start, end);
        events.say(kernel, arrival.external(), arrival.correlation(), arrival.sequence());
        int annotation = events.append(kinds.twin(collective.annotation()), lane, start, end);
        events.say(annotation, arrival.annotation(), 0, 0);
        open.covered(thread, lane, start, end);
        ended[lane.index()] = end;
        streams[lane.index()] = --enqueued[lane.index()] == 0 ? end : PENDING;
        slots[communicate.done()] = end;
        edges.member(
                EdgeLog.activity(arrival.correlation(), 0),
                Long.parseLong(place.group(lane).name()),
                arrival.sequence(),
                end - running);
        if (collective.kind().isTransfer()) {
            return;
        }
        busyFrom[collectives % REMEMBERED] = start;
        busyUntil[collectives % REMEMBERED] = end;
        collectives++;
    }

    /** By how much collectives that leave its host take longer. */
    double link() {
        return trouble.link();
    }

    /** A little noise on the end that all members agree on. */
    long endJitter() {
        return latency(700);
    }

    /** Begins a step of so many instructions. */
    void startStep(int instructions) {
        events.clear();
        edges.clear();
        step++;
        trouble.startStep(step, instructions);
        pass(6_000);
    }

    private void pass(long nanos) {
        double nominal = nanos * recipe.hostFactor();
        now += timing == Regularity.VARIED
                ? random.about(nominal)
                : (long) (timing == Regularity.IDEAL ? nominal * AHEAD : nominal);
        now += trouble.tail();
    }

    /** What the device takes to launch, to follow or to tell, of which little is known but the usual. */
    private long latency(int nominal) {
        return switch (timing) {
            case VARIED -> random.about(nominal);
            case EVEN -> nominal;
            case IDEAL -> 0;
        };
    }
}
