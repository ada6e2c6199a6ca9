// SPDX-License-Identifier: Apache-2.0
/**
 * How training runs lie on the disk: one configuration, or a sweep over threads and channels; where their traces and
 * reports are, under all names that are in use; and what of them is missing. Reads names of files, never their content.
 * Start at {@link dev.lockstep.runs.Sweep} and {@link dev.lockstep.runs.Configuration}.
 */
@NullMarked
package dev.lockstep.runs;

import org.jspecify.annotations.NullMarked;
