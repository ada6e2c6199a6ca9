// SPDX-License-Identifier: Apache-2.0
/** Tests of the synthetic traces; {@code ParsedTrace} reads a trace back with an independent parser. */
@NullMarked
package dev.lockstep.synth;

import org.jspecify.annotations.NullMarked;
