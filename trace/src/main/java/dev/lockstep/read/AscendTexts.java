// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.JsonText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What texts of Ascend's profiler say: names of collectives, types, and lists of arguments. */
public final class AscendTexts {
    private static final Pattern COLLECTIVE = Pattern.compile("^hcom_([A-Za-z]+)_*+(?:(\\d++)_(\\d{1,18})_\\d++)?$");

    private static final Map<String, String> TYPES = Map.of(
            "FP64", "Double",
            "FP32", "Float",
            "FP16", "Half",
            "BFP16", "BFloat16",
            "INT64", "Long",
            "INT32", "Int",
            "INT16", "Short",
            "INT8", "Char",
            "UINT8", "Byte");

    /**
     * A collective of HCCL: {@code hcom_allReduce__538_0_1} is the collective 0 of the group 538.
     *
     * @param name in lower case
     * @param group null where the name has none
     * @param sequence its place among those of the group, -1 for none
     */
    public record Collective(String name, @Nullable String group, long sequence) {}

    private AscendTexts() {}

    /** The collective that a name stands for, null where it stands for none. */
    public static @Nullable Collective collective(String text) {
        Matcher name = COLLECTIVE.matcher(text);
        if (!name.matches()) {
            return null;
        }
        String group = name.group(2);
        return new Collective(
                name.group(1).toLowerCase(Locale.ROOT), group, group == null ? -1 : Long.parseLong(name.group(3)));
    }

    /** A type by the name that PyTorch gives it. */
    public static String type(String recorded) {
        return TYPES.getOrDefault(recorded, recorded);
    }

    /**
     * A list of arguments as compact JSON. It is written as one text, with a semicolon behind each argument but the last:
     * shapes as {@code 32,3;\r\n;\r\n} for {@code [[32, 3], [], []]}, types as {@code float;\r\nScalar} for
     * {@code ["float", "Scalar"]}.
     */
    public static String list(String text) {
        String shapes = shapes(text);
        return shapes == null ? words(text) : shapes;
    }

    private static String words(String text) {
        StringBuilder json = new StringBuilder();
        for (String argument : text.split(";", -1)) {
            json.append(json.isEmpty() ? "[" : ", ");
            JsonText.quote(argument.strip(), json);
        }
        return json.append(']').toString();
    }

    /** Null where something else than shapes is listed. */
    private static @Nullable String shapes(String text) {
        List<String> shapes = new ArrayList<>();
        for (String argument : text.split(";", -1)) {
            List<String> sizes = new ArrayList<>();
            for (String size : argument.isBlank() ? new String[0] : argument.split(",", -1)) {
                String number = size.strip();
                if (!JsonCursor.isNumber(number) || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
                    return null;
                }
                sizes.add(number);
            }
            shapes.add(sizes.toString());
        }
        return text.isBlank() ? null : shapes.toString();
    }
}
