// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

/**
 * An input file.
 *
 * @param number counts the files from zero in the order in which they are read
 * @param name the file's name without its folder
 * @param title name and number
 */
public record Job(int number, String name, EventOrigin origin, String title) {
    public Job(int number, String name, EventOrigin origin) {
        this(number, name, origin, name + "(" + number + ")");
    }

    /** Files are told apart by their numbers. */
    @Override
    public int hashCode() {
        return number;
    }
}
