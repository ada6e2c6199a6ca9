// SPDX-License-Identifier: Apache-2.0
/**
 * The analyser that was published with "Understanding Stragglers in Large Model Training Using What-if Analysis" (OSDI
 * 2025): its roundings, and what it takes for a transfer.
 */
@NullMarked
package dev.lockstep.compat.wia;

import org.jspecify.annotations.NullMarked;
