// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.sweep;

import dev.lockstep.table.Table;
import org.jspecify.annotations.Nullable;

/**
 * A sheet of one report of a sweep.
 *
 * @param threads threads per block of the report's configuration
 * @param channels its number of channels
 * @param file name of the report's file
 * @param table the sheet, null when the report is there but cannot be used
 */
public record SweepSheet(
        long threads, long channels, String file, @Nullable Table table) {
    String threadConfig() {
        return threads + "thread";
    }

    String channelConfig() {
        return channels + "ch";
    }

    String fullConfig() {
        return threadConfig() + "_" + channelConfig();
    }
}
