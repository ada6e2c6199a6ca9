// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import dev.lockstep.write.Unicode;
import java.io.PrintWriter;
import java.io.Writer;

/**
 * What the program says. In a line that is printed with its end, characters that a terminal obeys are made visible: names come
 * from traces and files. Results, which are data, and the program's own colours are written without that.
 */
final class ConsoleLines extends PrintWriter {
    /** @param flushes whether each line is shown at once */
    ConsoleLines(Writer to, boolean flushes) {
        super(to, flushes);
    }

    @Override
    public void println(String line) {
        super.println(Unicode.lines(String.valueOf(line)));
    }

    @Override
    public void println(Object line) {
        println(String.valueOf(line));
    }
}
