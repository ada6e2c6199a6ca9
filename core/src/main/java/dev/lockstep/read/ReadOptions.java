// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * How to read.
 *
 * @param executor runs parts of the work; may run them at once on the calling thread
 * @param parallelism how many parts may be in work at a time, at least 1
 * @param progress told now and then how many bytes of unpacked content were read in all
 */
public record ReadOptions(Executor executor, int parallelism, LongConsumer progress) {
    /** Everything on the calling thread. */
    public static ReadOptions sequential() {
        return new ReadOptions(Runnable::run, 1, bytes -> {});
    }
}
