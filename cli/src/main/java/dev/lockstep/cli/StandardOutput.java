// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The process's standard output. Where it refuses what is printed, because its disk is full or nobody reads it any more, the
 * command goes on and its end says so.
 */
final class StandardOutput extends OutputStream {
    private final OutputStream out = new FileOutputStream(FileDescriptor.out);
    private @Nullable IOException failure;

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) {
        if (failure != null) {
            return;
        }
        try {
            out.write(bytes, from, count);
        } catch (IOException e) {
            failure = e;
        }
    }

    /** Why something that was printed is lost; null while nothing is. */
    synchronized @Nullable IOException failure() {
        return failure;
    }
}
