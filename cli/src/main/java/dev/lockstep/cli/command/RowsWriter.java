// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.sql.QueryAnswer;
import java.io.IOException;
import java.io.Writer;

/** A form in which the rows of an answer are written. */
interface RowsWriter {
    /** Writes all rows that are left. The writer stays open. */
    void write(QueryAnswer rows, Writer out) throws IOException;
}
