// SPDX-License-Identifier: Apache-2.0
/**
 * What ranks did as execution traces of Chakra, the input of simulators as ASTRA-sim: a graph of nodes for each rank. Start at
 * {@link dev.lockstep.goal.chakra.ChakraRun}.
 */
@NullMarked
package dev.lockstep.goal.chakra;

import org.jspecify.annotations.NullMarked;
