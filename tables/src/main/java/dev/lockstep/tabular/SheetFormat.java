// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.tabular;

import java.io.IOException;
import java.nio.file.Path;

/** A way to keep sheets in a file or folder. Stateless; one instance serves all files. */
public interface SheetFormat {
    /** What to call it in messages. */
    String name();

    /**
     * Whether this is such a file or folder, by content where it has any.
     *
     * @throws IOException when the file system refuses
     */
    boolean recognises(Path path) throws IOException;

    /**
     * Opens it; the caller closes.
     *
     * @throws dev.lockstep.error.TraceFormatException when the content is damaged
     */
    Sheets open(Path path) throws IOException;
}
