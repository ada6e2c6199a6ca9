// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** The sheets of an open file or folder. Confined to one thread. */
public interface Sheets extends Closeable {
    /** Names in the order of the file; of a folder, sorted. */
    List<String> names();

    /**
     * Hands over the rows of a sheet from the first to the last, the head included, without keeping any.
     *
     * @param sheet one of {@link #names}
     * @throws dev.lockstep.error.TraceFormatException when the content is damaged
     */
    void rows(String sheet, RowSink sink) throws IOException;
}
