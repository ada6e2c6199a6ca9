// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.replay.plan.Argument;
import dev.lockstep.replay.plan.Binding;
import dev.lockstep.replay.plan.ElementType;
import dev.lockstep.replay.plan.SchemaType;
import dev.lockstep.replay.plan.TensorSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.DeviceOptional;
import org.bytedeco.pytorch.FunctionSchema;
import org.bytedeco.pytorch.GeneratorOptional;
import org.bytedeco.pytorch.GenericList;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.LongOptional;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarTypeOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorOptions;
import org.bytedeco.pytorch.Type;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.global.torch.ScalarType;
import org.jspecify.annotations.Nullable;

/**
 * Makes up the inputs of a call: tensors that share memory where the recorded ones did, filled with numbers around 1, or
 * with indices that fit every dimension. Everything made belongs to the scope that is open.
 */
final class InputTensors {
    private static final double LEAST = 0.5;
    private static final double MOST = 1.5;

    private final Device device;
    private final boolean filled;
    private final long indexLimit;
    private final Map<String, Tensor> storages = new HashMap<>();
    private final Map<String, Tensor> originals;

    /** How far into each storage any of the tensors looks, in elements. */
    private final Map<String, Long> needed = new HashMap<>();

    /**
     * @param device where tensors are made
     * @param filled whether their elements matter; of views and allocations they do not
     * @param indexLimit whole numbers are below this
     */
    InputTensors(Device device, boolean filled, long indexLimit) {
        this(device, filled, indexLimit, Map.of());
    }

    private InputTensors(Device device, boolean filled, long indexLimit, Map<String, Tensor> originals) {
        this.originals = originals;
        this.device = device;
        this.filled = filled;
        this.indexLimit = indexLimit;
    }

    /** Makes the same values in other memory. */
    InputTensors copy() {
        return new InputTensors(device, filled, indexLimit, storages);
    }

    /** The values of a binding, ready for a stack. */
    IValue[] values(Binding binding, @Nullable FunctionSchema schema) {
        List<@Nullable Argument> values = binding.values();
        for (TensorSpec spec :
                Argument.tensors(values.stream().filter(Objects::nonNull).toList())) {
            needed.merge(key(spec), Math.max(spec.storageElements(), spec.extent()), Math::max);
        }
        IValue[] made = new IValue[values.size()];
        for (int i = 0; i < made.length; i++) {
            Argument value = values.get(i);
            SchemaType type = binding.schema().parameters().get(i).type();
            if (schema == null) { // a script, which takes tensors only
                made[i] = value instanceof Argument.Tensor tensor ? new IValue(tensor(tensor.spec())) : new IValue();
                continue;
            }
            org.bytedeco.pytorch.Argument parameter = schema.arguments().getPointer(i);
            made[i] =
                    value == null ? new IValue(parameter.default_value().get()) : value(value, type, parameter.type());
        }
        return made;
    }

    private IValue value(Argument value, SchemaType type, Type.TypePtr declared) {
        return switch (value) {
            case Argument.None none -> new IValue();
            case Argument.Tensor tensor -> new IValue(tensor(tensor.spec()));
            case Argument.Tensors tensors -> new IValue(tensors(tensors, declared));
            case Argument.Whole whole -> new IValue(whole.value());
            case Argument.Real real -> new IValue(real.value());
            case Argument.Truth truth -> new IValue(truth.value());
            case Argument.Text text ->
                type.base() == SchemaType.Base.DEVICE ? new IValue(device) : new IValue(text.value());
            case Argument.Values values -> {
                GenericList list = new GenericList(elementType(declared));
                SchemaType element = type.element();
                for (Argument item : values.values()) {
                    list.push_back(value(item, element == null ? type : element, elementType(declared)));
                }
                yield new IValue(list);
            }
        };
    }

    private GenericList tensors(Argument.Tensors tensors, Type.TypePtr declared) {
        GenericList list = new GenericList(elementType(declared));
        for (TensorSpec spec : tensors.specs()) {
            list.push_back(spec == null ? new IValue() : new IValue(tensor(spec)));
        }
        return list;
    }

    /** The type of the elements of a list, or of a list that may be absent. */
    private static Type.TypePtr elementType(Type.TypePtr type) {
        Type.TypePtr list = type;
        while (list.get().kind().value == torch.TypeKind.OptionalType.value) {
            list = list.get().containedType(0);
        }
        return list.get().containedType(0);
    }

    private Tensor tensor(TensorSpec spec) {
        Tensor storage = storages.computeIfAbsent(
                key(spec),
                key -> originals.containsKey(key)
                        ? originals.get(key).clone()
                        : storage(needed.getOrDefault(key, 0L), spec.type()));
        return storage.as_strided(
                longs(spec.shape()), longs(spec.stridesOrContiguous()), new LongOptional(spec.offset()));
    }

    private static String key(TensorSpec spec) {
        return spec.storage() + "/" + spec.type();
    }

    private Tensor storage(long elements, ElementType type) {
        Tensor made = torch.empty_strided(new long[] {elements}, new long[] {1}, options(type));
        if (filled) {
            fill(made, type);
        }
        return made;
    }

    private TensorOptions options(ElementType type) {
        return new TensorOptions()
                .dtype(new ScalarTypeOptional(scalarType(type)))
                .device(new DeviceOptional(device));
    }

    private static ScalarType scalarType(ElementType type) {
        for (ScalarType known : ScalarType.values()) {
            if (known.value == type.code()) {
                return known;
            }
        }
        throw new IllegalStateException("the framework lacks " + type);
    }

    private void fill(Tensor tensor, ElementType type) {
        GeneratorOptional any = new GeneratorOptional();
        switch (type) {
            case FLOAT16, BFLOAT16, FLOAT32, FLOAT64 -> tensor.uniform_(LEAST, MOST, any);
            case BOOL -> tensor.random_(0, new LongOptional(2), any);
            case UINT8, INT8, INT16, INT32, INT64 ->
                tensor.random_(
                        0, new LongOptional(type.size() == 1 ? Math.min(indexLimit, Byte.MAX_VALUE) : indexLimit), any);
            case COMPLEX64, COMPLEX128 -> tensor.fill_(new Scalar(1.0));
            default -> tensor.zero_();
        }
    }

    static long[] longs(List<Long> values) {
        return values.stream().mapToLong(Long::longValue).toArray();
    }
}
