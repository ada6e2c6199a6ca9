// SPDX-License-Identifier: Apache-2.0
/**
 * JMH benchmarks, one class for each question; {@code bench/README.md} says how to run them. They stand on the public
 * interface of {@code core}; a benchmark of something package-private lives in the package of what it measures. Start at
 * {@link dev.lockstep.bench.Samples}, which makes what they all work on.
 */
@NullMarked
package dev.lockstep.bench;

import org.jspecify.annotations.NullMarked;
