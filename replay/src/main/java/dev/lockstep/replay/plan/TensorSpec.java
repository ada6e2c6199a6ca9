// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A tensor that an operator was called with.
 *
 * @param shape sizes
 * @param type of the elements
 * @param assumed whether the type was not recorded, only concluded
 * @param strides in elements, as many as sizes; null when not recorded, which means contiguous
 * @param offset of the first element in its storage, in elements
 * @param storage number of the storage among those of the call; arguments with equal numbers share memory
 * @param storageElements how many elements the storage must have at least
 * @param device where it was, as recorded; null when not recorded
 */
public record TensorSpec(
        List<Long> shape,
        ElementType type,
        boolean assumed,
        @Nullable List<Long> strides,
        long offset,
        int storage,
        long storageElements,
        @Nullable String device) {
    public TensorSpec {
        shape = List.copyOf(shape);
        strides = strides == null ? null : List.copyOf(strides);
    }

    /** Number of elements. Numbers of elements and bytes that are too large for their type are its largest. */
    public long elements() {
        return product(shape);
    }

    /** The strides, or those of a contiguous tensor. */
    public List<Long> stridesOrContiguous() {
        if (strides != null) {
            return strides;
        }
        Long[] contiguous = new Long[shape.size()];
        long step = 1;
        for (int i = contiguous.length - 1; i >= 0; i--) {
            contiguous[i] = step;
            step = times(step, Math.max(1, shape.get(i)));
        }
        return List.of(contiguous);
    }

    /** Elements of storage from its beginning to the last element of the tensor. */
    public long extent() {
        return extent(shape, stridesOrContiguous(), offset);
    }

    /** Bytes of the storage. */
    public long storageBytes() {
        return times(Math.max(storageElements, extent()), type.size());
    }

    static long extent(List<Long> shape, List<Long> strides, long offset) {
        long last = offset;
        for (int i = 0; i < shape.size(); i++) {
            if (shape.get(i) == 0) {
                return offset;
            }
            last = plus(last, times(shape.get(i) - 1, Math.max(0, strides.get(i))));
        }
        return plus(last, 1);
    }

    /** The product of numbers that are not negative, {@link Long#MAX_VALUE} when it is larger. */
    private static long times(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
    }

    /** The sum of numbers that are not negative, {@link Long#MAX_VALUE} when it is larger. */
    public static long plus(long a, long b) {
        return a + b >= 0 ? a + b : Long.MAX_VALUE;
    }

    private static long product(List<Long> sizes) {
        long elements = 1;
        for (long size : sizes) {
            elements = times(elements, size);
        }
        return elements;
    }

    /** The same tensor with elements of another type. */
    public TensorSpec in(ElementType other) {
        return new TensorSpec(shape, other, assumed, strides, offset, storage, storageElements, device);
    }

    TensorSpec withStorage(int number, long elements) {
        return new TensorSpec(shape, type, assumed, strides, offset, number, elements, device);
    }
}
