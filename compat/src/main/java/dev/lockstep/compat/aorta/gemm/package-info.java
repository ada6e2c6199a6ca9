// SPDX-License-Identifier: Apache-2.0
/**
 * Stands in for AORTA's scripts on matrix multiplications whose time varies: their three CSV files. Start at
 * {@link dev.lockstep.compat.aorta.gemm.AortaVariance}.
 */
@NullMarked
package dev.lockstep.compat.aorta.gemm;

import org.jspecify.annotations.NullMarked;
