// SPDX-License-Identifier: Apache-2.0
/**
 * Matrix multiplications whose time varies, over a whole sweep: reads traces or reports, each once, and makes the tables and
 * files. Start at {@link dev.lockstep.pipeline.gemm.GemmSweep}.
 */
@NullMarked
package dev.lockstep.pipeline.gemm;

import org.jspecify.annotations.NullMarked;
