// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.util.concurrent.Executor;

/**
 * Who makes the blocks of files.
 *
 * @param parallelism blocks that are made at a time
 */
public record BlockMakers(Executor executor, int parallelism) {
    /** The calling thread alone. */
    public static final BlockMakers ALONE = new BlockMakers(Runnable::run, 1);
}
