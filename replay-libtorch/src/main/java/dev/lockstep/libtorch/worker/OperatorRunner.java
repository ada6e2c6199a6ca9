// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.plan.Argument;
import dev.lockstep.replay.plan.Binding;
import dev.lockstep.replay.plan.ElementType;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.OperatorSchema;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.PlannedOperator.Call;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.TensorSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** Finds the form of an operator that takes the recorded arguments, or something equivalent, and measures it. */
final class OperatorRunner {
    /** A way to run an operator; the words say what is not as recorded, null when nothing is. */
    private record Way(Call call, @Nullable String words) {}

    /** What is done with an operator that is ready; what it throws is the operator's fault. */
    interface Use {
        OperatorRun run(
                Schemas.Callee callee,
                Measurement.Values values,
                boolean afresh,
                boolean ofHost,
                @Nullable String substitution);
    }

    static final String RUN_AS = "run as ";

    /** Only devices have memory of a host that is pinned for them. */
    private static final Argument UNPINNED = new Argument.Truth(false);

    private final WorkerSettings settings;
    private final Device device;
    private final Schemas schemas = new Schemas();
    private final Measurement measurement;

    OperatorRunner(WorkerSettings settings) {
        this.settings = settings;
        device = new Device(settings.device().equals("cuda") ? "cuda:0" : settings.device());
        measurement = new Measurement(settings, device);
    }

    /** The framework in words. */
    String framework() {
        return "libtorch " + settings.framework();
    }

    /** The address of the device on the bus; empty for the host, or when it is not known. */
    String bus() {
        return settings.device().equals("cuda") ? CudaQueue.bus(0) : "";
    }

    /** Measures an operator by itself. */
    OperatorRun run(PlannedOperator operator) {
        return run(operator, measurement::run);
    }

    /** Tries one way after the other; the first that can be used counts. */
    OperatorRun run(PlannedOperator operator, Use use) {
        ReplayGap gap = operator.gap();
        if (gap != null) {
            return OperatorRun.failed(gap, null);
        }
        @Nullable OperatorRun first = null;
        for (Way way : ways(operator)) {
            OperatorRun run = run(way, use);
            if (run.gap() == null) {
                return run;
            }
            first = first == null ? run : first;
        }
        return java.util.Objects.requireNonNull(first);
    }

    /** As recorded first, then what stands in for it, then both in single precision. */
    private static List<Way> ways(PlannedOperator operator) {
        List<Way> ways = new ArrayList<>();
        ways.add(new Way(operator.call(), null));
        Call substitute = operator.substitute();
        if (substitute != null) {
            ways.add(new Way(substitute, RUN_AS + substitute.name()));
        }
        for (Way way : List.copyOf(ways)) {
            List<Argument> single = Argument.mapTensors(way.call.arguments(), OperatorRunner::inSinglePrecision);
            if (!single.equals(way.call.arguments())) {
                ways.add(new Way(
                        new Call(way.call.name(), way.call.schema(), single),
                        (way.words == null ? "run" : way.words) + " in single precision"));
            }
        }
        return ways;
    }

    private static TensorSpec inSinglePrecision(TensorSpec spec) {
        return spec.type().isReduced() ? spec.in(ElementType.FLOAT32) : spec;
    }

    private OperatorRun run(Way way, Use use) {
        List<OperatorSchema> known = schemas.of(way.call.name());
        if (known.isEmpty()) {
            return OperatorRun.failed(ReplayGap.NO_SUCH_OPERATOR, null);
        }
        if (known.stream().anyMatch(OperatorSchema::takesFile)) {
            return OperatorRun.failed(ReplayGap.REFUSED, null);
        }
        List<Binding> bindings = new ArrayList<>(Binding.all(known, way.call.arguments()));
        if (bindings.isEmpty()) {
            return OperatorRun.failed(way.call.lacksValues() ? ReplayGap.VALUES_MISSING : ReplayGap.ARGUMENTS, null);
        }
        String overload = way.call.overload();
        bindings.sort(java.util.Comparator.comparing(b -> !b.schema().overload().equals(overload)));
        @Nullable OperatorRun first = null;
        for (Binding binding : bindings) {
            OperatorRun run = run(way, binding, use);
            if (run.gap() == null) {
                return run;
            }
            first = first == null ? run : first;
        }
        return java.util.Objects.requireNonNull(first);
    }

    private OperatorRun run(Way way, Binding bound, Use use) {
        OperatorSchema schema = bound.schema();
        Binding binding = settings.device().equals("cpu") ? bound.with("pin_memory", UNPINNED) : bound;
        List<TensorSpec> tensors = Argument.tensors(way.call.arguments());
        long bytes = storageBytes(tensors);
        boolean large = bytes > settings.memory();
        if (large && !schema.isView()) {
            return OperatorRun.failed(
                    ReplayGap.MEMORY, bytes + " bytes of inputs, " + settings.memory() + " are allowed");
        }
        @Nullable
        String words = large
                ? "run without data: its storage of " + bytes + " bytes is larger than allowed"
                : binding.equals(bound)
                        ? way.words
                        : (way.words == null ? "run" : way.words) + " in memory that is not pinned";
        torch.manual_seed(0);
        Schemas.Callee callee = schemas.callee(schema);
        Made made =
                new Made(binding, callee, large ? new Device("meta") : device, indexLimit(way.call, tensors), bytes);
        try {
            return use.run(callee, made, schema.isInPlace() && changesShape(schema.name()), large, words);
        } catch (RuntimeException e) {
            return failure(e, way.call.lacksValues());
        }
    }

    /** The inputs of a binding. Copies are of what was made last. */
    private static final class Made implements Measurement.Values {
        private final Binding binding;
        private final Schemas.Callee callee;
        private final Device where;
        private final long indexLimit;
        private final long bytes;
        private @Nullable InputTensors last;

        private Made(Binding binding, Schemas.Callee callee, Device where, long indexLimit, long bytes) {
            this.binding = binding;
            this.callee = callee;
            this.where = where;
            this.indexLimit = indexLimit;
            this.bytes = bytes;
        }

        @Override
        public IValue[] make() {
            last = new InputTensors(where, !binding.schema().isView(), indexLimit);
            return last.values(binding, callee.schema());
        }

        @Override
        public IValue[] copy() {
            return last == null ? make() : last.copy().values(binding, callee.schema());
        }

        @Override
        public long bytes() {
            return bytes;
        }
    }

    private static long storageBytes(List<TensorSpec> tensors) {
        Map<Integer, Long> storages = new HashMap<>();
        for (TensorSpec spec : tensors) {
            storages.merge(spec.storage(), spec.storageBytes(), Math::max);
        }
        return storages.values().stream().reduce(0L, TensorSpec::plus);
    }

    /** Whether a call leaves its tensor in another shape, so that the next call needs a new one. */
    private static boolean changesShape(String name) {
        return switch (name) {
            case "aten::resize_",
                    "aten::resize_as_",
                    "aten::set_",
                    "aten::squeeze_",
                    "aten::unsqueeze_",
                    "aten::t_",
                    "aten::transpose_",
                    "aten::swapaxes_",
                    "aten::as_strided_",
                    "aten::detach_" -> true;
            default -> false;
        };
    }

    /** Whole numbers may be indices into any dimension of any tensor; of a table of rows only the rows are meant. */
    private static long indexLimit(Call call, List<TensorSpec> tensors) {
        if (call.name().equals("aten::embedding")
                && !tensors.isEmpty()
                && !tensors.getFirst().shape().isEmpty()) {
            return Math.max(1, tensors.getFirst().shape().getFirst());
        }
        long least = Long.MAX_VALUE;
        for (TensorSpec spec : tensors) {
            for (long size : spec.shape()) {
                least = Math.min(least, Math.max(1, size));
            }
        }
        return least == Long.MAX_VALUE ? 2 : least;
    }

    private static OperatorRun failure(RuntimeException e, boolean lacksValues) {
        String message = String.valueOf(e.getMessage());
        String head = message.lines().findFirst().orElse("");
        boolean noBackend = message.contains("Could not run '")
                || message.contains("not implemented for")
                || message.contains("not compiled with")
                || message.contains("not linked with")
                || message.contains("NYI");
        boolean memory = message.contains("can't allocate memory") || message.contains("out of memory");
        boolean nothing = lacksValues && message.contains("must not be None");
        return OperatorRun.failed(
                memory
                        ? ReplayGap.MEMORY
                        : noBackend ? ReplayGap.NO_BACKEND : nothing ? ReplayGap.VALUES_MISSING : ReplayGap.FAILED,
                head);
    }
}
