// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.HostAction.Call;
import dev.lockstep.synth.HostAction.Launch;
import dev.lockstep.synth.HostAction.RuntimeCall;
import dev.lockstep.synth.HostAction.Synchronize;
import dev.lockstep.synth.HostAction.Work;
import java.util.Arrays;
import java.util.List;

/**
 * One rank at work: its threads' and streams' clocks, its counters, and what it has recorded in this step. All times are
 * true nanoseconds since the start of the run. Confined to one thread at a time.
 */
final class RankActivity {
    private static final int REMEMBERED = 16;

    private final TraceRecipe recipe;
    private final RankPlace place;
    private final SplitMix random;
    private final EventList events = new EventList();
    private final OpenCalls open = new OpenCalls();
    private final double slowdown;
    private final double contention;

    private Lane thread = Lane.MAIN;
    private long now;
    private final long[] streams = new long[Lane.values().length];
    private final long[] slots;
    private final long[] busyFrom = new long[REMEMBERED];
    private final long[] busyUntil = new long[REMEMBERED];
    private int collectives;

    private final long[] groupSequence = new long[Lane.values().length];
    private final long[] waitingNumbers;
    private int waiting;
    private long autogradNumber;
    private long currentNumber;
    private long externalId;
    private long correlation;
    private long pythonId;

    private long computeNanos;
    private double excessNanos;

    /** @param forwardOps how many ops of a step leave a number for the backward pass, at most */
    RankActivity(TraceRecipe recipe, RankPlace place, int slots, int forwardOps) {
        this.recipe = recipe;
        this.place = place;
        this.slots = new long[slots];
        waitingNumbers = new long[forwardOps];
        random = new SplitMix(recipe.seed(), place.rank());
        slowdown = recipe.disturbance().stragglerRank() == place.rank()
                ? recipe.disturbance().slowdown()
                : 1;
        contention = new CollectiveModel(recipe).contention();
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

    void close(KindTable kinds) {
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
    }

    void mark(int slot) {
        slots[slot] = Math.max(now, streams[Lane.COMPUTE.index()]);
    }

    void await(int slot) {
        int compute = Lane.COMPUTE.index();
        streams[compute] = Math.max(streams[compute], slots[slot]);
    }

    void run(HostAction action) {
        run(action, 0);
    }

    private void run(HostAction action, long external) {
        switch (action) {
            case Call call -> run(call);
            case Launch launch -> run(launch, external);
            case RuntimeCall call -> runtime(call.runtime(), call.host(), external);
            case Synchronize synchronize -> run(synchronize, external);
        }
    }

    private void run(Call call) {
        switch (call.numbering()) {
            case FORWARD -> {
                currentNumber = ++autogradNumber;
                waitingNumbers[waiting++] = currentNumber;
            }
            case BACKWARD -> currentNumber = waitingNumbers[--waiting];
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

    private void run(Launch launch, long external) {
        long issued = runtime(launch.runtime(), launch.host(), external);
        Lane lane = Lane.COMPUTE;
        long start = Math.max(issued + random.about(4_600), streams[lane.index()] + random.about(1_000));
        Work work = launch.work();
        long end = start + duration(work, start, launch.device().category() == Category.KERNEL);
        streams[lane.index()] = end;
        int row = events.append(launch.device(), lane, start, end);
        events.say(row, external, correlation, work.bytes());
        open.covered(thread, lane, start, end);
    }

    private long duration(Work work, long start, boolean compute) {
        double undisturbed = work.nanos() * (1 + work.spread() * random.bell());
        if (work.contention() == 1 && random.uniform() < 0.01) {
            undisturbed *= 1.1 + 0.4 * random.uniform();
        }
        double slow = compute ? undisturbed * slowdown : undisturbed;
        double share = overlap(start, start + (long) slow) / slow;
        double factor = 1 + work.contention() * contention * share;
        long nanos = Math.max(100, (long) (slow * factor));
        if (compute) {
            computeNanos += nanos;
            excessNanos += (slow - undisturbed) * factor;
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
        correlation++;
        int row = events.append(kind, thread, now, now);
        events.say(row, external, correlation, 0);
        pass(host);
        events.end(row, now);
        long issued = now;
        pass(200);
        return issued;
    }

    private void run(Synchronize synchronize, long external) {
        correlation++;
        int row = events.append(synchronize.runtime(), thread, now, now);
        events.say(row, external, correlation, 0);
        pass(2_000);
        now = Math.max(now, streams[Lane.COMPUTE.index()] + random.about(3_000));
        events.end(row, now);
        pass(400);
    }

    /** Issues the rank's part of a collective; {@link #finish} must follow with the time it ends. */
    Arrival arrive(StepCollective collective, int after) {
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
        long issued = runtime(collective.runtime(), 6_500, record);
        pass(1_500);
        events.end(annotationRow, now);
        pass(2_000);
        events.end(recordRow, now);
        pass(1_200);
        events.end(opRow, now);
        pass(400);
        long ready = Math.max(streams[lane.index()] + random.about(1_100), slots[after] + random.about(1_400));
        long start = Math.max(issued + random.about(5_200), ready);
        return new Arrival(start, record, annotation, correlation, sequence);
    }

    /** When a rank joins a collective, and the ids under which it does. */
    record Arrival(long start, long external, long annotation, long correlation, long sequence) {}

    void finish(StepCollective collective, KindTable kinds, Arrival arrival, long end, int done) {
        Lane lane = collective.lane();
        long start = arrival.start();
        int kernel = events.append(collective.kernel(), lane, start, end);
        events.say(kernel, arrival.external(), arrival.correlation(), arrival.sequence());
        int annotation = events.append(kinds.twin(collective.annotation()), lane, start, end);
        events.say(annotation, arrival.annotation(), 0, 0);
        open.covered(thread, lane, start, end);
        streams[lane.index()] = end;
        slots[done] = end;
        busyFrom[collectives % REMEMBERED] = start;
        busyUntil[collectives % REMEMBERED] = end;
        collectives++;
    }

    /** A little noise on the end that all members agree on. */
    long endJitter() {
        return random.about(700);
    }

    void startStep() {
        events.clear();
        pass(6_000);
    }

    private void pass(long nanos) {
        now += random.about(nanos * recipe.hostFactor());
    }
}
