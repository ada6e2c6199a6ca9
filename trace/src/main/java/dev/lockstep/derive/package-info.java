// SPDX-License-Identifier: Apache-2.0
/**
 * Structures that many analyses share, computed from a trace at most once: the host call tree, the links between
 * launches and device activity, busy intervals, steps. A {@link dev.lockstep.derive.Derived} is a key and a pure function
 * in one. Depends on {@code model} and {@code table} only. Start at {@link dev.lockstep.derive.DeviceActivity}.
 */
@NullMarked
package dev.lockstep.derive;

import org.jspecify.annotations.NullMarked;
