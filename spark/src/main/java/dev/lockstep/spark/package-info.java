// SPDX-License-Identifier: Apache-2.0
/**
 * Runs of very many ranks on Spark: a task for each file reads it with the program's own reader and keeps sums; collectives are
 * matched in a shuffle. Start at {@link dev.lockstep.spark.Fleet}.
 */
@NullMarked
package dev.lockstep.spark;

import org.jspecify.annotations.NullMarked;
