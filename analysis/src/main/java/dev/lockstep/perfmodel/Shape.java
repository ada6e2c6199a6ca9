// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.Arrays;

/** The sizes of a tensor. No sizes at all is the shape of a scalar and of an argument that was not given. */
public final class Shape {
    private final long[] sizes;

    Shape(long[] sizes) {
        this.sizes = sizes;
    }

    /** The shape of these sizes. */
    public static Shape of(long... sizes) {
        return new Shape(sizes.clone());
    }

    /** The number of dimensions. */
    public int rank() {
        return sizes.length;
    }

    /**
     * The size of a dimension.
     *
     * @param i the dimension; -1 is the last one
     */
    public long dim(int i) throws NotModelled {
        int at = i < 0 ? sizes.length + i : i;
        if (at < 0 || at >= sizes.length) {
            throw NotModelled.unreadable("shape " + this + " has no dimension " + i);
        }
        return sizes[at];
    }

    /** The number of elements; 1 for a scalar. */
    public long elements() throws NotModelled {
        return elements(0, sizes.length);
    }

    /** The product of the sizes of some dimensions, the last one excluded. */
    public long elements(int from, int to) throws NotModelled {
        long product = 1;
        for (int i = from; i < to; i++) {
            if (sizes[i] != 0 && Math.multiplyHigh(product, sizes[i]) != (product * sizes[i]) >> 63) {
                throw NotModelled.unreadable("shape " + this + " is too large");
            }
            product *= sizes[i];
        }
        return product;
    }

    /** The sizes as a tuple. */
    public Value value() {
        return Value.tuple(sizes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shape shape && Arrays.equals(sizes, shape.sizes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(sizes);
    }

    @Override
    public String toString() {
        return Arrays.toString(sizes);
    }
}
