// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.gemm;

/**
 * A row of a rank, and where the rank belongs.
 *
 * @param configuration name of the configuration, empty where there is only one
 * @param threads threads per block of the communication library, -1 when not known
 * @param channels its channels, -1 when not known
 * @param rank number of the rank
 * @param gemm the row
 */
public record PlacedGemm(String configuration, long threads, long channels, int rank, Gemm gemm) {}
