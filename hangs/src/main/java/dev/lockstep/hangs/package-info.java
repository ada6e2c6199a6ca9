// SPDX-License-Identifier: Apache-2.0
/** Why a job does not go on: {@link dev.lockstep.hangs.Hangs} reads the dumps of its ranks and makes the report. */
@NullMarked
package dev.lockstep.hangs;

import org.jspecify.annotations.NullMarked;
