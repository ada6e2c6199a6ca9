// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.generate;

/**
 * How a tag is put together: the number of the message, then the label, in decimal digits.
 *
 * @param numberDigits digits of message numbers
 * @param labelDigits digits of labels; 0 when there are none
 */
public record TagFormat(int numberDigits, int labelDigits) {
    /** The largest tag that simulators keep apart from others. */
    public static final long LARGEST = 0xffff_ffffL;

    /** The tag of a message. */
    public long tag(long number, long label) {
        return number * step() + label;
    }

    /** What sets tags of successive messages with the same label apart. */
    public long step() {
        return power(labelDigits);
    }

    /** How many decimal digits a number has. */
    public static int digits(long number) {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10) {
            digits++;
        }
        return digits;
    }

    private static long power(int exponent) {
        long power = 1;
        for (int i = 0; i < exponent; i++) {
            power *= 10;
        }
        return power;
    }
}
