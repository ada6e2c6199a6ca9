// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.gemm;

import dev.lockstep.runs.Coverage;
import java.util.List;

/**
 * A file that a step of the chain makes.
 *
 * @param text what it holds
 * @param rows number of rows
 * @param coverage what the step asked for and what was there
 * @param remarks one sentence each about what a reader should know, in order
 */
public record GemmFile(String text, int rows, Coverage coverage, List<String> remarks) {
    public GemmFile {
        remarks = List.copyOf(remarks);
    }
}
