// SPDX-License-Identifier: Apache-2.0
/**
 * Execution traces of Chakra, which simulators as ASTRA-sim replay: nodes and what they depend on, as protocol buffers or as JSON. Start
 * at {@link dev.lockstep.read.chakra.ChakraReader}.
 */
@NullMarked
package dev.lockstep.read.chakra;

import org.jspecify.annotations.NullMarked;
