// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;

/**
 * Makes blocks of a file at the same time and writes them in order. What a block holds is decided by its maker alone, so the
 * number of threads changes nothing. Confined to one thread, which does the writing.
 */
public final class OrderedBlocks {
    /** Puts the content of a block into an empty buffer. Runs on any thread. */
    @FunctionalInterface
    public interface Maker {
        void make(JsonBytes into);
    }

    private static final int CAPACITY = 1 << 21;

    private final BlockFile file;
    private final Executor executor;
    private final int atATime;
    private final Deque<CompletableFuture<Block>> pending = new ArrayDeque<>();
    private final ConcurrentLinkedQueue<Block> spare = new ConcurrentLinkedQueue<>();

    /** @param parallelism blocks that are made at a time; one further is written meanwhile */
    public OrderedBlocks(BlockFile file, Executor executor, int parallelism) {
        this.file = file;
        this.executor = executor;
        this.atATime = parallelism + 1;
    }

    /** Adds a block behind those before. */
    public void add(Maker maker) throws IOException {
        while (pending.size() >= atATime) {
            writeFirst();
        }
        pending.add(CompletableFuture.supplyAsync(() -> make(maker), executor));
    }

    /** Writes all that is left. */
    public void drain() throws IOException {
        while (!pending.isEmpty()) {
            writeFirst();
        }
    }

    /** Gives up on what is left; waits for what is being made. */
    public void abandon() {
        pending.forEach(block -> block.handle((made, failure) -> true).join());
        pending.clear();
    }

    private Block make(Maker maker) {
        Block block = spare.poll();
        if (block == null) {
            block = new Block(new JsonBytes(CAPACITY));
        }
        block.text.clear();
        maker.make(block.text);
        file.pack(block);
        return block;
    }

    private void writeFirst() throws IOException {
        CompletableFuture<Block> first = pending.remove();
        Block block;
        try {
            block = first.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            if (e.getCause() instanceof RuntimeException exception) {
                throw exception;
            }
            throw new IOException(e.getCause());
        }
        file.write(block);
        spare.add(block);
    }

    /** A block's text, and what a {@link BlockFile} makes of it. */
    static final class Block {
        final JsonBytes text;
        byte[] packed = new byte[0];

        private Block(JsonBytes text) {
            this.text = text;
        }
    }
}
