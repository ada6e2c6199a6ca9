// SPDX-License-Identifier: Apache-2.0
/**
 * What the time is spent on: operators and kernels.
 */
@NullMarked
package dev.lockstep.analyze.work;

import org.jspecify.annotations.NullMarked;
