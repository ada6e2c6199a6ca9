// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What may tell kernels apart besides their names and, of copies and fills, the bytes they move. */
public enum KeyField {
    GRID("grid"),
    BLOCK("block"),
    SHARED_MEMORY("shared memory"),
    /** The operator that launched it. */
    OPERATOR("op"),
    /** Shapes of that operator's inputs. */
    SHAPES("shapes"),
    /** Element types of these. */
    TYPES("types"),
    /** Strides of these. */
    STRIDES("strides"),
    /** Element type, as profilers note it at collectives. */
    DTYPE("dtype"),
    REGISTERS("registers"),
    DEVICE("device"),
    STREAM("stream");

    private final String spelling;

    KeyField(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }

    /** What tells work apart: device and stream say where it ran, not what it is. */
    public static Set<KeyField> standard() {
        return EnumSet.of(GRID, BLOCK, SHARED_MEMORY, OPERATOR, SHAPES, TYPES);
    }

    /**
     * The fields of these names; blanks, underscores and hyphens are alike.
     *
     * @throws UserException for a name that is none
     */
    public static Set<KeyField> parse(List<String> names) {
        Set<KeyField> fields = EnumSet.noneOf(KeyField.class);
        for (String name : names) {
            String plain =
                    name.strip().toLowerCase(Locale.ROOT).replace('_', ' ').replace('-', ' ');
            if (plain.isEmpty() || plain.equals("name") || plain.equals("bytes")) {
                continue;
            }
            fields.add(Arrays.stream(values())
                    .filter(field -> field.spelling.equals(plain))
                    .findFirst()
                    .orElseThrow(() -> new UserException(
                            ErrorCode.OPTION_INVALID,
                            "kernels have no field '" + name + "'",
                            "known: "
                                    + Arrays.stream(values())
                                            .map(KeyField::spelling)
                                            .collect(Collectors.joining(", ")))));
        }
        return fields;
    }
}
