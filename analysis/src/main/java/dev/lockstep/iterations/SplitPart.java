// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.iterations;

/**
 * A file to write: iterations in a row.
 *
 * @param path below the folder of outputs
 * @param what what the file is for, in a word
 * @param from first iteration, from 0
 * @param to the one behind the last
 */
public record SplitPart(String path, String what, int from, int to) {}
