// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

/** Numbers that take no more bytes each than the widest of them needs, and none where all are the same. Immutable. */
final class NarrowColumn {
    private static final byte[] NO_BYTES = {};
    private static final short[] NO_SHORTS = {};
    private static final int[] NO_INTS = {};
    private static final long[] NO_LONGS = {};

    /** How many bytes each takes. */
    private final int width;

    private final long same;
    private byte[] bytes = NO_BYTES;
    private short[] shorts = NO_SHORTS;
    private int[] ints = NO_INTS;
    private long[] longs = NO_LONGS;

    /** @param values the numbers; the array passes to this object */
    NarrowColumn(long[] values) {
        long least = values.length == 0 ? 0 : Long.MAX_VALUE;
        long most = values.length == 0 ? 0 : Long.MIN_VALUE;
        for (long value : values) {
            least = Math.min(least, value);
            most = Math.max(most, value);
        }
        same = least;
        width = least == most ? 0 : Math.max(width(least), width(most));
        switch (width) {
            case 0 -> {}
            case Byte.BYTES -> {
                bytes = new byte[values.length];
                for (int i = 0; i < bytes.length; i++) {
                    bytes[i] = (byte) values[i];
                }
            }
            case Short.BYTES -> {
                shorts = new short[values.length];
                for (int i = 0; i < shorts.length; i++) {
                    shorts[i] = (short) values[i];
                }
            }
            case Integer.BYTES -> {
                ints = new int[values.length];
                for (int i = 0; i < ints.length; i++) {
                    ints[i] = (int) values[i];
                }
            }
            default -> longs = values;
        }
    }

    private static int width(long value) {
        if (value == (byte) value) {
            return Byte.BYTES;
        }
        if (value == (short) value) {
            return Short.BYTES;
        }
        return value == (int) value ? Integer.BYTES : Long.BYTES;
    }

    long get(int row) {
        return switch (width) {
            case 0 -> same;
            case Byte.BYTES -> bytes[row];
            case Short.BYTES -> shorts[row];
            case Integer.BYTES -> ints[row];
            default -> longs[row];
        };
    }
}
