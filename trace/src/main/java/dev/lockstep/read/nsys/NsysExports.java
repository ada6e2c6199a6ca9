// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.nsys;

import dev.lockstep.read.TraceInput;
import java.io.IOException;

/** Reads exports of Nsight Systems ({@code nsys export --type=sqlite}). Found through {@link java.util.ServiceLoader}. */
public interface NsysExports {
    /**
     * Reads annotations, and kernels of the collective library with the calls that launched them; each kind in order of
     * its rows in the file.
     *
     * @throws dev.lockstep.error.TraceFormatException when the file is no such export or lacks a table that is needed
     */
    void read(TraceInput input, NsysRows rows) throws IOException;
}
