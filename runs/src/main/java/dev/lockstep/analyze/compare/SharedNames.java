// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names of two traces by common numbers. Calls of the vendors' runtimes that do the same have one name, whoever's they are;
 * addresses in names count as equal.
 */
final class SharedNames {
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]+");
    private static final Pattern VENDOR = Pattern.compile("^(hip|cuda|cu)(?=[A-Z])");

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** The number of an operator's name. */
    int op(String name) {
        return number(name.contains("0x") ? ADDRESS.matcher(name).replaceAll("0x…") : name);
    }

    /** The number of a call of the runtime. */
    int call(String name) {
        String plain = VENDOR.matcher(name).replaceFirst("");
        if (plain.contains("LaunchKernel")) {
            return number("LaunchKernel");
        }
        return number(plain.contains("GraphLaunch") ? "GraphLaunch" : plain);
    }

    /** The number of any other text. */
    int text(String text) {
        return number(text);
    }

    String name(int number) {
        return names.get(number);
    }

    private int number(String name) {
        Integer known = numbers.putIfAbsent(name, names.size());
        if (known != null) {
            return known;
        }
        names.add(name);
        return names.size() - 1;
    }
}
