// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/**
 * A call of the runtime that launched a kernel.
 *
 * @param start when the host began the call
 * @param thread global id
 */
record KernelLaunch(long correlation, long start, long thread) {}
