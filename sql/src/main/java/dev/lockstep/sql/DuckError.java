// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.codec.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What DuckDB says is wrong, and where. It says so as JSON, because its settings ask for that.
 *
 * @param kind in lower case, as in {@code parser}, {@code binder}, {@code permission}, {@code interrupt}; empty when not told
 * @param message in words, of one line or more
 * @param from the first byte of the query that is meant, -1 when not told
 * @param length number of bytes that are meant
 */
record DuckError(String kind, String message, int from, int length) {
    /** Kinds of errors that no query can make, but damage can. */
    private static final Set<String> OF_FILES = Set.of("io", "invalid", "internal", "fatal", "serialization");

    /** What is said of damage in errors of a kind that queries make, too. */
    private static final Pattern IN_FILES =
            Pattern.compile("Parquet(?! format)|^Failed to read file|^Incorrect stats size|^Invalid unicode");

    /** What is said of an output, by the file system's words; quotes are escaped as often as errors are inside of others. */
    private static final Pattern UNWRITTEN =
            Pattern.compile("Could not write file \\\\*\"([^\"\\\\]+)\\\\*\": ([^\"\\\\]+)");

    static DuckError of(SQLException failure) {
        String text = String.valueOf(failure.getMessage());
        int brace = text.indexOf('{');
        if (brace >= 0 && text.endsWith("}")) {
            try {
                if (Json.parse(text.substring(brace)) instanceof Json.Members said) {
                    return of(said, "exception_type", "exception_message");
                }
            } catch (IOException e) {
                return new DuckError("", text, -1, 0); // a message that merely looks like JSON
            }
        }
        return new DuckError("", text, -1, 0);
    }

    /** What the members of these names say. */
    static DuckError of(Json.Members said, String kind, String message) {
        String place = said.text("location");
        String position = said.text("position");
        int from = position == null ? -1 : Integer.parseInt(position);
        int length = 1;
        if (place != null && place.startsWith("[") && place.indexOf(',') > 0) {
            length = Integer.parseInt(place, place.indexOf(',') + 1, place.length() - 1, 10);
        }
        return new DuckError(
                String.valueOf(said.text(kind)).toLowerCase(Locale.ROOT),
                String.valueOf(said.text(message)),
                from,
                Math.max(1, length));
    }

    /** Whether a file is to blame, and not the query. */
    boolean isOfAFile() {
        return OF_FILES.contains(kind)
                || kind.equals("invalid input") && IN_FILES.matcher(message).find();
    }

    /** The failure to write a file, if that is what it is: a disk is full. */
    Optional<FileSystemException> unwritten() {
        Matcher said = UNWRITTEN.matcher(message);
        return said.find()
                ? Optional.of(new FileSystemException(said.group(1), null, said.group(2)))
                : Optional.empty();
    }

    /** The first line of the message, without a name of the library's own. */
    String firstLine() {
        return message.lines().findFirst().orElse("").replaceFirst("^\\w+Exception: ", "");
    }

    /**
     * The line of a text that is meant, and a mark under the part of it: two lines, empty when no place is known.
     *
     * @param query the text, from its beginning
     */
    String marked(String query) {
        int at = place(query);
        if (at < 0) {
            return "";
        }
        int start = query.lastIndexOf('\n', at - 1) + 1;
        int end = query.indexOf('\n', at);
        String line = query.substring(start, end < 0 ? query.length() : end).stripTrailing();
        String before = query.substring(start, at).replaceAll("[^\t]", " ");
        int marks = Math.clamp(Math.min(length, line.length() - (at - start)), 1, Integer.MAX_VALUE);
        return line + "\n" + before + "^".repeat(marks);
    }

    /** {@code line 2, column 7}, both from 1; empty when no place is known. */
    String position(String query) {
        int at = place(query);
        if (at < 0) {
            return "";
        }
        String before = query.substring(0, at);
        long line = before.chars().filter(c -> c == '\n').count() + 1;
        String here = before.substring(before.lastIndexOf('\n') + 1);
        return "line " + line + ", column " + (here.codePointCount(0, here.length()) + 1);
    }

    private int place(String query) {
        byte[] bytes = query.getBytes(StandardCharsets.UTF_8);
        return from < 0 || from > bytes.length ? -1 : new String(bytes, 0, from, StandardCharsets.UTF_8).length();
    }

    /** The same further back in a text. */
    DuckError behind(int bytes) {
        return from < 0 ? this : new DuckError(kind, message, from + bytes, length);
    }
}
