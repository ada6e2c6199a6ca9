// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/**
 * What a number counts. A column is stored in one unit and may be shown in another of the same quantity: exact
 * nanoseconds are shown as microseconds without a rounding step in between.
 */
public enum Unit {
    NONE("", Quantity.NONE, 1),
    /** Each row has a unit of its own, which another column names. */
    OF_ROW("", Quantity.NONE, 1),
    COUNT("", Quantity.NONE, 1),
    ID("", Quantity.NONE, 1),
    PERCENT("%", Quantity.RATIO, 1),
    NANOSECONDS("ns", Quantity.TIME, 1),
    MICROSECONDS("µs", Quantity.TIME, 1_000),
    MILLISECONDS("ms", Quantity.TIME, 1_000_000),
    SECONDS("s", Quantity.TIME, 1_000_000_000),
    BYTES("B", Quantity.SIZE, 1),
    MEBIBYTES("MiB", Quantity.SIZE, 1 << 20),
    FLOPS("FLOP", Quantity.WORK, 1),
    GIGAFLOPS("GFLOP", Quantity.WORK, 1_000_000_000),
    BYTES_PER_SECOND("B/s", Quantity.BANDWIDTH, 1),
    GIGABYTES_PER_SECOND("GB/s", Quantity.BANDWIDTH, 1_000_000_000),
    TERABYTES_PER_SECOND("TB/s", Quantity.BANDWIDTH, 1_000_000_000_000L),
    FLOPS_PER_SECOND("FLOP/s", Quantity.RATE, 1),
    TERAFLOPS_PER_SECOND("TFLOP/s", Quantity.RATE, 1_000_000_000_000L),
    FLOPS_PER_BYTE("FLOP/B", Quantity.NONE, 1),
    WATTS("W", Quantity.NONE, 1),
    JOULES("J", Quantity.NONE, 1);

    private enum Quantity {
        NONE,
        RATIO,
        TIME,
        SIZE,
        WORK,
        BANDWIDTH,
        RATE
    }

    private final String symbol;
    private final Quantity quantity;
    private final long scale;

    Unit(String symbol, Quantity quantity, long scale) {
        this.symbol = symbol;
        this.quantity = quantity;
        this.scale = scale;
    }

    /** The symbol to print beside a number; empty for plain counts. */
    public String symbol() {
        return symbol;
    }

    /** How many of the quantity's base unit make one of this. */
    public long scale() {
        return scale;
    }

    /** Whether numbers of this unit can be shown in the other one. */
    public boolean converts(Unit other) {
        return this == other || quantity == other.quantity;
    }
}
