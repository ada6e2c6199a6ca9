// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.table;

/** What the cells of a column hold. */
public enum ColumnType {
    /** 64-bit integers; {@link LongColumn#ABSENT} marks a missing one. */
    LONG,
    /** Doubles; NaN marks a missing one. */
    DOUBLE,
    /** True or false, never missing. */
    BOOL,
    /** Text; null marks a missing one. */
    STRING,
    /** A structured value as JSON text (RFC 8259, compact, one space after comma and colon); null marks a missing one. */
    JSON,
    /**
     * The arguments of a call: as {@link #JSON}, but what the arrays hold was passed along, not listed. Python's tools
     * print such arrays as tuples, {@code ((32, 64), ())}; everyone else sees JSON.
     */
    ARGUMENTS
}
