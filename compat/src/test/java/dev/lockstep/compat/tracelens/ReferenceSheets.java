// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Recorded sheets of TraceLens, sought at {@code -Dlockstep.shared}, else at {@code ../shared} of the checkout. */
final class ReferenceSheets {
    private ReferenceSheets() {}

    /** The sheets of a name, in a fixed order; empty when the collection is not there. */
    static List<Path> named(String file) {
        Path data = shared().resolve("data");
        if (!Files.isDirectory(data)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(data)) {
            return all.filter(path -> path.getFileName().toString().equals(file))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path shared() {
        String named = System.getProperty("lockstep.shared");
        if (named != null) {
            return Path.of(named);
        }
        Path checkout = Path.of("").toAbsolutePath();
        while (checkout != null && !Files.exists(checkout.resolve("mvnw"))) {
            checkout = checkout.getParent();
        }
        return checkout == null ? Path.of("shared") : checkout.resolveSibling("shared");
    }

    /** The rows of a CSV file by column. */
    static List<Map<String, String>> rows(Path file) throws IOException {
        List<List<String>> lines = cells(Files.readString(file, StandardCharsets.UTF_8));
        List<Map<String, String>> rows = new ArrayList<>();
        for (List<String> line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            Map<String, String> row = new HashMap<>();
            for (int i = 0; i < line.size(); i++) {
                row.put(lines.getFirst().get(i), line.get(i));
            }
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> cells(String csv) {
        List<List<String>> lines = new ArrayList<>();
        List<String> line = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < csv.length(); i++) {
            char c = csv.charAt(i);
            if (quoted) {
                boolean doubled = c == '"' && i + 1 < csv.length() && csv.charAt(i + 1) == '"';
                if (doubled || c != '"') {
                    cell.append(c);
                }
                i += doubled ? 1 : 0;
                quoted = c != '"' || doubled;
            } else if (c == '"') {
                quoted = true;
            } else if (c == ',' || c == '\n') {
                line.add(cell.toString());
                cell.setLength(0);
                if (c == '\n') {
                    lines.add(line);
                    line = new ArrayList<>();
                }
            } else if (c != '\r') {
                cell.append(c);
            }
        }
        return lines;
    }

    /** A Python literal of tuples, lists, dictionaries, texts and numbers as JSON. */
    static String json(String literal) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            if (c == '\'' || c == '"') {
                int end = i + 1;
                StringBuilder text = new StringBuilder();
                while (literal.charAt(end) != c) {
                    end += literal.charAt(end) == '\\' ? 1 : 0;
                    text.append(literal.charAt(end));
                    end++;
                }
                out.append('"')
                        .append(text.toString().replace("\\", "\\\\").replace("\"", "\\\""))
                        .append('"');
                i = end;
            } else if (c == '(' || c == '[') {
                out.append('[');
            } else if (c == ')' || c == ']') {
                if (out.charAt(out.length() - 1) == ',') {
                    out.setLength(out.length() - 1);
                }
                out.append(']');
            } else if (Character.isLetter(c)) {
                int end = i;
                while (end < literal.length() && Character.isLetter(literal.charAt(end))) {
                    end++;
                }
                String word = literal.substring(i, end);
                out.append(
                        switch (word) {
                            case "True" -> "true";
                            case "False" -> "false";
                            case "None" -> "null";
                            default -> word;
                        });
                i = end - 1;
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }
}
