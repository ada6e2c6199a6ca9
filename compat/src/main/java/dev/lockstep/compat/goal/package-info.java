// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for ATLAHS's generator of GOAL schedules from NCCL traces: the structure of its schedules, operation by
 * operation, and what it gets wrong. Start at {@link dev.lockstep.compat.goal.ReferenceStyle}.
 */
@NullMarked
package dev.lockstep.compat.goal;

import org.jspecify.annotations.NullMarked;
