// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long the runs of a launch may take.
 *
 * @param timeout a run that takes longer is ended, or null
 * @param grace between asking a process to end and ending it
 * @param pause between two runs
 */
public record Limits(@Nullable Duration timeout, Duration grace, Duration pause) {}
