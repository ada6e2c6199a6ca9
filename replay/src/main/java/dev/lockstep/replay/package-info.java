// SPDX-License-Identifier: Apache-2.0
/**
 * The operators of a recording run again, and compared with it. {@link dev.lockstep.replay.Replay} is the entry:
 * {@link dev.lockstep.replay.plan} makes and runs plans, {@code dev.lockstep.replay.export} writes them as programs,
 * {@link dev.lockstep.replay.reconcile} sets what was measured against the whole.
 */
@NullMarked
package dev.lockstep.replay;

import org.jspecify.annotations.NullMarked;
