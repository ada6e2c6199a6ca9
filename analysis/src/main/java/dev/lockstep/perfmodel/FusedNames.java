// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes names of generated kernels apart into the operators that were fused: {@code triton_poi_fused_add_gelu_3} is add and
 * gelu. Names of operators hold the very sign that joins them, so only a list of all of them tells.
 */
final class FusedNames {
    private static final String START = "fused_";

    private final Set<String> known;

    private FusedNames(Set<String> known) {
        this.known = Set.copyOf(known);
    }

    /** By the operators listed in {@code aten-names.txt}. */
    static FusedNames standard() {
        Set<String> names = new HashSet<>();
        for (String line :
                ElementTypes.resource(FusedNames.class, "models/aten-names.txt").split("\n")) {
            if (line.startsWith("#")) {
                continue;
            }
            for (String name : line.strip().split("\\s+")) {
                boolean both = name.endsWith("~");
                String plain = both ? name.substring(0, name.length() - 1) : name;
                names.add(plain);
                if (both) {
                    names.add(plain + "_");
                }
            }
        }
        return new FusedNames(names);
    }

    /** The operators in the order of the name, the longest where there is a choice; none if some part is unknown. */
    List<String> of(String kernel) {
        int start = kernel.indexOf(START);
        int end = kernel.lastIndexOf('_');
        return start < 0 || end < start + START.length() || !Numeral.isInteger(kernel.substring(end + 1))
                ? List.of()
                : split(kernel.substring(start + START.length(), end));
    }

    private List<String> split(String text) {
        int n = text.length();
        // For each place where a name may begin: the length of the longest name after which all the rest is known, or
        // 0.
        int[] length = new int[n + 2];
        for (int i = n - 1; i >= 0; i--) {
            if (i == 0 || text.charAt(i - 1) == '_') {
                length[i] = longest(text, i, length);
            }
        }
        List<String> names = new ArrayList<>();
        for (int i = 0; i < n && length[i] > 0; i += length[i] + 1) {
            names.add(text.substring(i, i + length[i]));
        }
        return names;
    }

    private int longest(String text, int start, int[] length) {
        int n = text.length();
        int found = 0;
        for (int end = start + 1; end <= n; end++) {
            boolean last = end == n;
            if ((last || text.charAt(end) == '_' && length[end + 1] > 0)
                    && known.contains(text.substring(start, end))) {
                found = end - start;
            }
        }
        return found;
    }
}
