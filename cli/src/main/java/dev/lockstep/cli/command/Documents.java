// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.SettingsFile;
import dev.lockstep.codec.JsonText;
import dev.lockstep.error.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Small documents that users write: JSON, or YAML, which becomes JSON. */
final class Documents {
    private Documents() {}

    /**
     * The content of the file as JSON text. It is YAML where its name ends so, and where it has no ending and no brace begins
     * it, as it comes from a pipe.
     *
     * @throws dev.lockstep.error.UserException if it cannot be read
     */
    static String json(Path file) {
        String text = SettingsFile.text(file, SettingsFile.bytes(file, null));
        String name = file.toString().toLowerCase(Locale.ROOT);
        boolean unnamed = !name.substring(name.lastIndexOf('/') + 1).contains(".");
        if (!name.endsWith(".yaml")
                && !name.endsWith(".yml")
                && (!unnamed || text.stripLeading().startsWith("{"))) {
            return text;
        }
        StringBuilder out = new StringBuilder();
        write(SettingsFile.yaml(file.toString(), text, ErrorCode.OPTION_INVALID, null), out);
        return out.toString();
    }

    private static void write(@Nullable Object value, StringBuilder out) {
        switch (value) {
            case null -> out.append("null");
            case Map<?, ?> map -> {
                out.append('{');
                String separator = "";
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    JsonText.quote(String.valueOf(entry.getKey()), out.append(separator));
                    write(entry.getValue(), out.append(": "));
                    separator = ", ";
                }
                out.append('}');
            }
            case List<?> list -> {
                out.append('[');
                String separator = "";
                for (Object element : list) {
                    write(element, out.append(separator));
                    separator = ", ";
                }
                out.append(']');
            }
            case Number number -> out.append(number);
            case Boolean flag -> out.append(flag);
            default -> JsonText.quote(value.toString(), out);
        }
    }
}
