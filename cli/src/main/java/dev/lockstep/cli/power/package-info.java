// SPDX-License-Identifier: Apache-2.0
/**
 * Asking devices for their power while something runs: NVIDIA's library by foreign functions, the vendors' programs, files
 * of the system. {@link dev.lockstep.cli.power.PowerSources} chooses, {@link dev.lockstep.cli.power.PowerRecorder} writes
 * what they say into a log.
 */
@NullMarked
package dev.lockstep.cli.power;

import org.jspecify.annotations.NullMarked;
