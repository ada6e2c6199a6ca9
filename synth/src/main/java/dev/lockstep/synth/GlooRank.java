// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.GlooRecipe.Slow;
import dev.lockstep.synth.GlooRecipe.Stage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one rank of a run over gloo does, and what its profiler sees of it. Times are true ns since the start of the run. */
final class GlooRank {
    private static final int LIBRARY_THREADS = 2;
    /** How long most kernels take, in ns. */
    private static final double KERNEL = 160_000;

    private static final int COPY_BYTES_PER_NANOSECOND = 20;

    private final GlooRecipe recipe;
    private final int rank;
    private final GlooEvents events;
    private final SplitMix work;
    private final SplitMix library;
    private final int backward;
    private final long[] free = new long[LIBRARY_THREADS];
    private final List<Long> issued = new ArrayList<>();
    private final List<Long> onHost = new ArrayList<>();
    private final List<Long> through = new ArrayList<>();
    private final List<Long> arrivals = new ArrayList<>();
    private long main;
    private long deviceFree;
    private long sequence = 400;
    private int taking;
    private int takenBucket;
    private long begun;
    private long there;

    GlooRank(GlooRecipe recipe, int rank) {
        this.recipe = recipe;
        this.rank = rank;
        events = new GlooEvents(recipe, rank);
        work = new SplitMix(recipe.seed(), 3_000_000_000L + rank);
        library = new SplitMix(recipe.seed(), 4_000_000_000L + rank);
        backward = recipe.onDevices() ? GlooEvents.AUTOGRAD : GlooEvents.MAIN;
    }

    int rank() {
        return rank;
    }

    GlooEvents events() {
        return events;
    }

    /** When its main thread is done so far. */
    long now() {
        return main;
    }

    /** When it was there for each exchange, in order. */
    List<Long> arrivals() {
        return arrivals;
    }

    private long slow(int step, Stage stage) {
        return recipe.slow().stream()
                .filter(one -> one.rank() == rank && one.stage() == stage && one.from() <= step)
                .mapToLong(Slow::nanos)
                .sum();
    }

    /** Loads a batch, and computes until all gradients are handed to the library. */
    void compute(int step) {
        issued.clear();
        onHost.clear();
        through.clear();
        events.openStep(step, main);
        load(step);
        forward(step);
        String zero = "Optimizer.zero_grad#SGD.zero_grad";
        events.annotation(zero, GlooEvents.MAIN, main, main + 40_000);
        main += 60_000;
        backward(step);
    }

    private void load(int step) {
        long begin = main + 20_000;
        long at = begin + slow(step, Stage.DATA) + 5_000;
        for (int i = 0; i < 2; i++) {
            long end = at + work.about(120_000);
            events.operator("aten::stack", GlooEvents.MAIN, at, end, null);
            at = end + 8_000;
        }
        events.annotation("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", GlooEvents.MAIN, begin, at);
        main = at + 15_000;
    }

    private void forward(int step) {
        long begin = main;
        long at = begin + 30_000 + slow(step, Stage.FORWARD);
        for (int layer = 0; layer < recipe.layers(); layer++) {
            at = layer(at, layer);
        }
        at = operator("aten::mean", GlooEvents.MAIN, at, 30_000, null);
        events.annotation("DistributedDataParallel.forward", GlooEvents.MAIN, begin, at);
        main = at + 25_000;
    }

    private long layer(long from, int layer) {
        int h = recipe.hidden();
        String dims = "[[32, " + h + "], [" + h + ", " + h + "], [" + h + "]]";
        long inner = from + 6_000;
        events.operator("aten::t", GlooEvents.MAIN, inner, inner + 4_000, "[[" + h + ", " + h + "]]");
        long called = inner + 6_000;
        long end = computed("aten::addmm", GlooEvents.MAIN, called, busy(180_000), KERNEL);
        events.numbered("aten::addmm", GlooEvents.MAIN, called, end, dims, sequence++);
        events.operator("aten::linear", GlooEvents.MAIN, from, end + 2_000, dims);
        return operator("aten::gelu", GlooEvents.MAIN, end + 9_000, busy(40_000), "[[32, " + h + "]]")
                + 6_000
                + layer % 2 * 500L;
    }

    /** What an operator takes: on its CPU it computes, for a device it only launches. */
    private double busy(double nanos) {
        return recipe.onDevices() ? 12_000 : nanos;
    }

    /** An operator that launches a kernel where there is a device; returns its end. */
    private long operator(String name, int thread, long from, double nanos, @Nullable String dims) {
        long end = computed(name, thread, from, nanos, KERNEL);
        events.operator(name, thread, from, end, dims);
        return end;
    }

    private long computed(String name, int thread, long from, double nanos, double kernel) {
        long end = from + work.about(nanos);
        if (recipe.onDevices()) {
            long start = Math.max(from + 6_000, deviceFree + 1_000);
            deviceFree = start + work.about(kernel);
            events.kernel(name, thread, from + 2_000, start, deviceFree);
        }
        return end;
    }

    private void backward(int step) {
        long at = main + (recipe.onDevices() ? 25_000 : 10_000);
        long paused = slow(step, Stage.BACKWARD);
        int h = recipe.hidden();
        String dims = "[[32, " + h + "], [" + h + ", " + h + "]]";
        long made = sequence;
        for (int layer = recipe.layers() - 1; layer >= 0; layer--) {
            long begin = at;
            at = operator("aten::mm", backward, begin + 8_000 + paused, busy(200_000), dims);
            paused = 0;
            at = operator("aten::mm", backward, at + 4_000, busy(200_000), dims);
            String gradients = "[[32, " + h + "]]";
            long node = --made;
            events.numbered("AddmmBackward0", backward, begin + 4_000, at + 3_000, gradients, node);
            events.numbered(
                    "autograd::engine::evaluate_function: AddmmBackward0",
                    backward,
                    begin,
                    at + 5_000,
                    gradients,
                    node);
            at = accumulate(at + 8_000, recipe.layers() - 1 - layer);
        }
        main = at;
    }

    /** Puts gradients into a bucket; one that is full is handed to the library. */
    private long accumulate(long from, int number) {
        long at = from + 6_000;
        events.operator("torch::autograd::AccumulateGrad", backward, at, at + 10_000, null);
        at += 14_000;
        boolean full = number % 2 == 1 || number == recipe.layers() - 1;
        if (full) {
            int bucket = number / 2;
            long elements = GlooJob.elements(recipe, bucket);
            long end = at + work.about(60_000);
            events.issue(backward, at, end, elements);
            if (recipe.onDevices()) {
                long start = Math.max(at + 20_000, deviceFree + 1_000);
                long copied = start + GlooJob.bytes(recipe, bucket) / COPY_BYTES_PER_NANOSECOND + 4_000;
                events.copy(backward, at + 12_000, start, copied, false, bucket);
                onHost.add(copied);
            } else {
                onHost.add(at);
            }
            issued.add(end - 5_000);
            at = end + 6_000;
        }
        events.operator(
                "autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", backward, from, at, null);
        return at + 5_000;
    }

    /** A thread of the library takes a bucket; returns when it is ready to exchange it. */
    long arrive(int bucket) {
        taking = free[0] <= free[1] ? 0 : 1;
        takenBucket = bucket;
        long woken = library.about(60_000);
        begun = Math.max(issued.get(bucket) + woken, free[taking] + 30_000);
        there = begun;
        if (recipe.onDevices()) {
            long call = begun + 15_000;
            there = Math.max(call + 4_000, onHost.get(bucket) + 3_000);
            events.call("cudaStreamSynchronize", GlooEvents.LIBRARY + taking, call, there, -1);
        }
        arrivals.add(there);
        return there;
    }

    /** The exchange that the rank was there for last has ended. */
    void leave(long end) {
        long own = end + library.about(40_000);
        int thread = GlooEvents.LIBRARY + taking;
        if (recipe.onDevices()) {
            long start = Math.max(own + 40_000, 0);
            long copied = start + GlooJob.bytes(recipe, takenBucket) / COPY_BYTES_PER_NANOSECOND;
            events.operator("aten::copy_", thread, own, own + 70_000, null);
            events.copy(thread, own + 20_000, start, copied, true, takenBucket);
            deviceFree = Math.max(deviceFree, copied);
            own += 110_000;
        }
        events.exchange(thread, begun, own, GlooJob.elements(recipe, takenBucket));
        free[taking] = own;
        through.add(own);
    }

    /** Waits for all buckets in order, and changes the parameters. */
    void update(int step) {
        long at = main;
        for (int bucket = 0; bucket < through.size(); bucket++) {
            at = Math.max(at, through.get(bucket) + library.about(50_000)) + 3_000;
            for (int i = 0; i < 4; i++) {
                String copy = "torch.distributed.ddp.reducer::copy_bucket_to_grad";
                long end = computed(copy, backward, at, 9_000, 4_000);
                events.operator(copy, backward, at, end, null);
                at = end + 4_000;
            }
        }
        main = at + (recipe.onDevices() ? 150_000 : 60_000);
        long begin = main;
        at = begin + 20_000 + slow(step, Stage.OPTIMIZER);
        for (int i = 0; i < 2; i++) {
            at = operator("aten::_foreach_add_", GlooEvents.MAIN, at, busy(150_000), null) + 5_000;
        }
        events.annotation("Optimizer.step#SGD.step", GlooEvents.MAIN, begin, at);
        main = at + work.about(60_000);
        events.closeStep(main);
        main += 15_000;
    }
}
