// SPDX-License-Identifier: Apache-2.0
/**
 * Which link is slow: what NCCL's Inspector writes of every operation, compared between links that are alike and over time.
 * {@link dev.lockstep.links.Links} is where to start.
 */
@NullMarked
package dev.lockstep.links;

import org.jspecify.annotations.NullMarked;
