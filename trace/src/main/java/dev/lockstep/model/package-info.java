// SPDX-License-Identifier: Apache-2.0
/**
 * The trace: what one rank recorded, as immutable tables of primitives. Rows of {@link dev.lockstep.model.Slices} are the
 * identity of slices everywhere; details that only some slices have lie in side tables reached by a
 * {@link dev.lockstep.model.TableKey}. {@link dev.lockstep.model.TraceBuilder} is the only way to make a
 * {@link dev.lockstep.model.Trace}. Depends on {@code table} only.
 */
@NullMarked
package dev.lockstep.model;

import org.jspecify.annotations.NullMarked;
