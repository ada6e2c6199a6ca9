// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.runs;

/**
 * A place in the grid of a sweep, in the words of its folders.
 *
 * @param threadFolder {@code 256thread}
 * @param channels {@code 28}
 */
record SweepCell(String threadFolder, String channels) {
    String channelFolder() {
        return "nccl_" + channels + "channels";
    }

    String column() {
        return channels + "ch";
    }

    String label() {
        return threadFolder + "_" + column();
    }
}
