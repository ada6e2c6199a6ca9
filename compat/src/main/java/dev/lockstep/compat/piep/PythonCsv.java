// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import dev.lockstep.codec.Json;
import dev.lockstep.write.PythonLiteral;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/** Lines as Python's {@code csv.writer} writes them: CRLF, quotes only where needed. Confined to one thread. */
final class PythonCsv {
    private final Writer out;
    private boolean first = true;

    PythonCsv(Writer out) {
        this.out = out;
    }

    /** A line of texts. */
    void line(String... cells) throws IOException {
        for (String cell : cells) {
            cell(cell);
        }
        end();
    }

    PythonCsv cell(String text) throws IOException {
        if (!first) {
            out.write(',');
        }
        first = false;
        boolean quoted =
                text.indexOf(',') >= 0 || text.indexOf('"') >= 0 || text.indexOf('\n') >= 0 || text.indexOf('\r') >= 0;
        out.write(quoted ? '"' + text.replace("\"", "\"\"") + '"' : text);
        return this;
    }

    /** A value that was read from JSON, as {@code str} spells it; absent values are empty. */
    PythonCsv cell(@Nullable Json value) throws IOException {
        return cell(str(value));
    }

    void end() throws IOException {
        out.write("\r\n");
        first = true;
    }

    static String str(@Nullable Json value) {
        return switch (value) {
            case null -> "";
            case Json.Nothing nothing -> "";
            case Json.Text(String text) -> text;
            case Json.Numeral numeral -> {
                String text = PythonJson.number(numeral);
                yield switch (text) {
                    case "NaN" -> "nan";
                    case "Infinity" -> "inf";
                    case "-Infinity" -> "-inf";
                    default -> text;
                };
            }
            case Json.Truth(boolean truth) -> truth ? "True" : "False";
            default -> PythonLiteral.of(PythonJson.dumps(value), false);
        };
    }
}
