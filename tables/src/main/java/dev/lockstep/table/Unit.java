// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/**
 * What a number counts. A column is stored in one unit and may be shown in another of the same quantity: exact
 * nanoseconds are shown as microseconds without a rounding step in between.
 */
public enum Unit {
    /** Text, truth values, and whatever has no unit. */
    NONE("", Quantity.NONE, 1),
    /** Each row has a unit of its own, which another column names. */
    OF_ROW("", Quantity.NONE, 1),
    /** A number of things. */
    COUNT("", Quantity.NONE, 1),
    /** A number that names something and is never added up. */
    ID("", Quantity.NONE, 1),
    /** A hundredth. */
    PERCENT("%", Quantity.RATIO, 1),
    /** 10⁻⁹ s. */
    NANOSECONDS("ns", Quantity.TIME, 1),
    /** 10⁻⁶ s. */
    MICROSECONDS("µs", Quantity.TIME, 1_000),
    /** 10⁻³ s. */
    MILLISECONDS("ms", Quantity.TIME, 1_000_000),
    /** Seconds. */
    SECONDS("s", Quantity.TIME, 1_000_000_000),
    /** 8 bits. */
    BYTES("B", Quantity.SIZE, 1),
    /** 2²⁰ bytes. */
    MEBIBYTES("MiB", Quantity.SIZE, 1 << 20),
    /** Floating-point operations. */
    FLOPS("FLOP", Quantity.WORK, 1),
    /** 10⁹ floating-point operations. */
    GIGAFLOPS("GFLOP", Quantity.WORK, 1_000_000_000),
    /** Bytes per second. */
    BYTES_PER_SECOND("B/s", Quantity.BANDWIDTH, 1),
    /** 10⁹ bytes per second. */
    GIGABYTES_PER_SECOND("GB/s", Quantity.BANDWIDTH, 1_000_000_000),
    /** 10¹² bytes per second. */
    TERABYTES_PER_SECOND("TB/s", Quantity.BANDWIDTH, 1_000_000_000_000L),
    /** Floating-point operations per second. */
    FLOPS_PER_SECOND("FLOP/s", Quantity.RATE, 1),
    /** 10¹² floating-point operations per second. */
    TERAFLOPS_PER_SECOND("TFLOP/s", Quantity.RATE, 1_000_000_000_000L),
    /** Floating-point operations per byte that is moved: arithmetic intensity. */
    FLOPS_PER_BYTE("FLOP/B", Quantity.NONE, 1),
    /** Power. */
    WATTS("W", Quantity.NONE, 1),
    /** Energy. */
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

    /** {@return the symbol to print beside a number; empty for plain counts} */
    public String symbol() {
        return symbol;
    }

    /** {@return how many of the quantity's base unit make one of this} */
    public long scale() {
        return scale;
    }

    /**
     * {@return whether numbers of this unit can be shown in the other one}
     *
     * @param other the unit to show them in
     */
    public boolean converts(Unit other) {
        return this == other || quantity == other.quantity;
    }
}
