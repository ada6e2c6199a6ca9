// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.hardware;

import dev.lockstep.derive.KernelRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What kernels multiply matrices with, as far as their names tell, by rules kept as data: {@code matrix-units.txt}. Judges each
 * name once. Confined to one thread.
 */
final class MatrixUnits {
    /** Where kernels multiply. */
    enum Unit {
        /** Tensor cores of NVIDIA, matrix cores of AMD. */
        MATRIX,
        /** The units for all other arithmetic. */
        VECTOR,
        /** The name does not tell, or it multiplies no matrices. */
        NONE
    }

    /**
     * What a name tells.
     *
     * @param precision of the operands, null when not told
     */
    record Use(Unit unit, @Nullable String precision) {}

    private record Rule(Use use, Pattern pattern) {}

    /** Nothing is told. */
    static final Use UNTOLD = new Use(Unit.NONE, null);

    private static final int MOST_JUDGED = 1 << 12;

    private final List<Rule> rules = new ArrayList<>();
    private final Map<String, Use> known = new HashMap<>();

    MatrixUnits() {
        for (String line : KernelRules.resource(MatrixUnits.class.getResourceAsStream("matrix-units.txt"))
                .split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.strip().split("\\s+", 3);
                Unit unit = Unit.valueOf(parts[0].toUpperCase(Locale.ROOT));
                rules.add(new Rule(new Use(unit, parts[1].equals("-") ? null : parts[1]), Pattern.compile(parts[2])));
            }
        }
    }

    /** What the name of a kernel tells. */
    Use of(String name) {
        return known.computeIfAbsent(name, this::judged);
    }

    private Use judged(String name) {
        String head = name.substring(0, Math.min(MOST_JUDGED, name.length()));
        for (Rule rule : rules) {
            if (rule.pattern.matcher(head).find()) {
                return rule.use;
            }
        }
        return UNTOLD;
    }
}
