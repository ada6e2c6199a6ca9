// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.EventKind.Flow;
import dev.lockstep.synth.HostAction.Numbering;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Defines the kinds of events of a job; the definitions hold what the profiler writes into {@code args}. */
final class KindTable {
    /** What the profiler writes for a stream where all are meant. */
    private static final long ALL_STREAMS = 4_294_967_295L;

    private final TraceRecipe recipe;
    private final List<EventKind> kinds = new ArrayList<>();
    private final Map<String, EventKind> frames = new HashMap<>();
    private final Map<String, EventKind> syncs = new HashMap<>();
    private final Map<EventKind, EventKind> nodes = new HashMap<>();
    private final Map<String, EventKind> ops = new HashMap<>();

    KindTable(TraceRecipe recipe) {
        this.recipe = recipe;
    }

    List<EventKind> kinds() {
        return List.copyOf(kinds);
    }

    EventKind op(String name, Numbering numbering, Flow flow, TensorArguments inputs) {
        String sequence = numbering == Numbering.NONE
                ? ""
                : ", \"Sequence number\": " + Slot.THIRD.mark() + ", \"Fwd thread id\": "
                        + (name.contains("Backward") ? 1 : 0);
        return ops.computeIfAbsent(
                name + ' ' + flow + sequence + inputs.text(),
                key -> add(Category.CPU_OP, name, place -> hostArguments(sequence + shapes(inputs)), flow));
    }

    EventKind backwardNode(String node) {
        String name = "autograd::engine::evaluate_function: " + node;
        return ops.computeIfAbsent(
                name,
                key -> add(
                        Category.CPU_OP,
                        name,
                        place ->
                                hostArguments(", \"Sequence number\": " + Slot.THIRD.mark() + ", \"Fwd thread id\": 1"),
                        Flow.NONE));
    }

    /** The op that describes a collective on the host; the description differs from rank to rank. */
    EventKind collectiveOp(TensorArguments inputs, Function<RankPlace, String> description) {
        return add(
                Category.CPU_OP,
                "record_param_comms",
                place -> hostArguments(shapes(inputs) + description.apply(place)),
                Flow.NONE);
    }

    /** An annotation, and after it, under the next id, its twin on the device. */
    EventKind annotation(String name) {
        EventKind host = add(Category.USER_ANNOTATION, name, place -> hostArguments(""), Flow.NONE);
        add(Category.GPU_USER_ANNOTATION, name, place -> "\"External id\": " + Slot.FIRST.mark(), Flow.NONE);
        return host;
    }

    EventKind twin(EventKind annotation) {
        return kinds.get(annotation.id() + 1);
    }

    EventKind python(String name) {
        return frames.computeIfAbsent(name, this::frame);
    }

    private EventKind frame(String name) {
        return add(
                Category.PYTHON_FUNCTION,
                name,
                place -> "\"Python parent id\": " + Slot.SECOND.mark() + ", \"Python id\": " + Slot.FIRST.mark()
                        + ", \"Ev Idx\": " + Slot.INDEX.mark(),
                Flow.NONE);
    }

    /** A runtime or driver call; {@code more} is appended to its arguments. */
    EventKind runtime(Category category, String name, int callbackId, boolean launches, String more) {
        String id = recipe.vendor() == Vendor.CUDA ? "cbid" : "cid";
        return add(
                category,
                name,
                place -> "\"External id\": " + Slot.FIRST.mark() + more + ", \"" + id + "\": " + callbackId
                        + ", \"correlation\": " + Slot.SECOND.mark(),
                launches ? Flow.LAUNCH : Flow.NONE);
    }

    EventKind kernel(String name, KernelShape shape, Lane lane, Function<RankPlace, String> more) {
        return add(
                Category.KERNEL, name, place -> kernelArguments(shape, lane, place) + more.apply(place), Flow.DEVICE);
    }

    /** A kernel as part of a graph: one vendor says of which node, the other no more than its stream. */
    EventKind node(EventKind kernel) {
        return nodes.computeIfAbsent(
                kernel, key -> add(Category.KERNEL, kernel.name(), place -> nodeArguments(kernel, place), Flow.DEVICE));
    }

    private String nodeArguments(EventKind kernel, RankPlace place) {
        return recipe.vendor() == Vendor.CUDA
                ? kernel.arguments().apply(place) + ", \"graph id\": " + Slot.GRAPH.mark() + ", \"graph node id\": "
                        + Slot.THIRD.mark()
                : "\"External id\": " + Slot.FIRST.mark() + ", \"device\": " + place.device() + ", \"stream\": "
                        + place.threadOf(Lane.COMPUTE) + ", \"correlation\": " + Slot.SECOND.mark()
                        + ", \"kind\": \"Dispatch Task\"";
    }

    EventKind transfer(Category category, String name, String kind) {
        return add(
                category,
                name,
                place -> "\"External id\": " + Slot.FIRST.mark() + ", \"device\": " + place.device()
                        + (recipe.vendor() == Vendor.CUDA ? ", \"context\": 1" : "") + ", \"stream\": "
                        + place.threadOf(Lane.COMPUTE) + ", \"correlation\": " + Slot.SECOND.mark()
                        + (recipe.vendor() == Vendor.CUDA ? "" : ", \"kind\": \"" + kind + "\"") + ", \"bytes\": "
                        + Slot.THIRD.mark() + ", \"memory bandwidth (GB/s)\": " + Slot.BANDWIDTH.mark(),
                Flow.DEVICE);
    }

    /**
     * The record of a stream or a call that waits.
     *
     * @param on the stream that waits or is waited for; {@link Lane#CONTEXT} for all
     * @param from the stream that has recorded the event, null where there is none
     */
    EventKind sync(String name, Lane on, @Nullable Lane from) {
        return syncs.computeIfAbsent(
                name + on + from,
                key -> add(
                        Category.CUDA_SYNC,
                        name,
                        place -> "\"External id\": " + Slot.FIRST.mark() + ", \"cuda_sync_kind\": \"" + name + '"'
                                + (from == null
                                        ? ""
                                        : ", \"wait_on_stream\": " + place.threadOf(from)
                                                + ", \"wait_on_cuda_event_record_corr_id\": " + Slot.THIRD.mark()
                                                + ", \"wait_on_cuda_event_id\": " + from.index())
                                + ", \"stream\": " + (on == Lane.CONTEXT ? ALL_STREAMS : place.threadOf(on))
                                + ", \"correlation\": " + Slot.SECOND.mark() + ", \"device\": " + place.device()
                                + ", \"context\": 1",
                        Flow.NONE));
    }

    private String kernelArguments(KernelShape shape, Lane lane, RankPlace place) {
        String stream = "\"stream\": " + place.threadOf(lane) + ", \"correlation\": " + Slot.SECOND.mark();
        String external = "\"External id\": " + Slot.FIRST.mark();
        if (recipe.vendor() == Vendor.ROCM) {
            return external + ", \"device\": " + place.device() + ", " + stream + ", \"kind\": \"Dispatch Kernel\", "
                    + shape.grid();
        }
        return external + ", \"queued\": 0, \"device\": " + place.device() + ", \"context\": 1, " + stream + ", "
                + shape.resources(recipe.vendor().processors());
    }

    private String shapes(TensorArguments inputs) {
        return recipe.recording().omits(Omission.SHAPES) ? "" : inputs.text();
    }

    private static String hostArguments(String middle) {
        return "\"External id\": " + Slot.FIRST.mark() + ",\"Record function id\": 0" + middle + ", \"Ev Idx\": "
                + Slot.INDEX.mark();
    }

    private EventKind add(Category category, String name, Function<RankPlace, String> arguments, Flow flow) {
        EventKind kind = new EventKind(kinds.size(), category, name, arguments, flow);
        kinds.add(kind);
        return kind;
    }
}
