// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

/**
 * How much the time of a GEMM varies on a rank of a configuration.
 *
 * @param threads per block
 * @param channels of the communication library
 * @param rank number of the rank
 * @param kernel name of its kernel, may be empty
 * @param rangeUs the longest less the shortest time, in µs
 */
public record GemmRange(long threads, long channels, long rank, String kernel, double rangeUs) {}
