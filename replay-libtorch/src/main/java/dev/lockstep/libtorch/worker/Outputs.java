// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import java.util.ArrayDeque;
import java.util.Deque;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;

/**
 * Results of the last calls, kept as a model keeps them, so that the next call does not get the memory of the last one
 * while that is still in the caches. The oldest go when there are more bytes than allowed.
 */
final class Outputs implements AutoCloseable {
    private record Kept(IValueVector stack, long bytes) {}

    private final Deque<Kept> kept = new ArrayDeque<>();
    private final long allowed;
    private long bytes;

    Outputs(long allowed) {
        this.allowed = allowed;
    }

    /** Takes the stack of a call, which belongs to no scope. */
    void keep(IValueVector stack) {
        long size = size(stack);
        kept.addLast(new Kept(stack, size));
        bytes += size;
        while (bytes > allowed && !kept.isEmpty()) {
            drop();
        }
    }

    private void drop() {
        Kept oldest = kept.removeFirst();
        bytes -= oldest.bytes;
        oldest.stack.close();
    }

    private static long size(IValueVector stack) {
        long size = 1; // even nothing must not be kept for ever
        try (PointerScope scope = new PointerScope()) {
            for (long i = 0; i < stack.size(); i++) {
                IValue value = stack.get(i);
                if (value.isTensor() && value.toTensor().defined()) {
                    size += value.toTensor().nbytes();
                }
            }
        }
        return size;
    }

    @Override
    public void close() {
        while (!kept.isEmpty()) {
            drop();
        }
    }
}
