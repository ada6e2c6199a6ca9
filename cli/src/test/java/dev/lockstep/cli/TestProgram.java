// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The program as tests run it, and what it leaves behind. */
final class TestProgram {
    private TestProgram() {}

    /** Runs a command line in this process; the writers hold what it prints and nothing from before. */
    static int run(StringWriter out, StringWriter err, Object... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        String[] texts = Stream.of(arguments).map(String::valueOf).toArray(String[]::new);
        return Main.run(new PrintWriter(out), new PrintWriter(err), texts);
    }

    /** The content of every file below a folder, a character for each byte. */
    static Map<String, String> files(Path below) throws IOException {
        Map<String, String> contents = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(below)) {
            for (Path file : walk.filter(Files::isRegularFile).toList()) {
                contents.put(below.relativize(file).toString(), Files.readString(file, ISO_8859_1));
            }
        }
        return contents;
    }

    /** The cells of a line of CSV; in quotes, a cell may hold commas, and quotes twice each. */
    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (!quoted && i > 0 && line.charAt(i - 1) == '"') {
                    cell.append(c);
                }
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
