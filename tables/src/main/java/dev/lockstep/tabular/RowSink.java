// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import java.io.IOException;
import java.util.List;

/** Takes the rows of a sheet, one by one. */
@FunctionalInterface
public interface RowSink {
    /**
     * The next row.
     *
     * @param cells numbers as they are spelt, truth values as {@code true} and {@code false}, absent cells empty; the list
     *     is filled anew for the next row
     */
    void row(List<String> cells) throws IOException;
}
