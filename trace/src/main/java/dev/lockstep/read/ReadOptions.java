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
 * @param keep what the traces shall hold
 */
public record ReadOptions(Executor executor, int parallelism, LongConsumer progress, Keep keep) {
    /** What a trace shall hold of its file. */
    public enum Keep {
        /** What analyses use. */
        MEANING,
        /** Also what no analysis uses, so that the trace can be written again: {@code Trace.recorded()} is there. */
        EVERYTHING,
        /**
         * What it takes to write the trace again, and no more: {@code Trace.recorded()} is there, side tables may be
         * missing. Quicker than {@link #EVERYTHING}.
         */
        RECORDING
    }

    /** What analyses use. */
    public ReadOptions(Executor executor, int parallelism, LongConsumer progress) {
        this(executor, parallelism, progress, Keep.MEANING);
    }

    /** Everything on the calling thread. */
    public static ReadOptions sequential() {
        return new ReadOptions(Runnable::run, 1, bytes -> {});
    }

    /** Whether what no analysis uses shall be kept, too. */
    public boolean everything() {
        return keep != Keep.MEANING;
    }

    /** Whether side tables are wanted. */
    public boolean details() {
        return keep != Keep.RECORDING;
    }
}
