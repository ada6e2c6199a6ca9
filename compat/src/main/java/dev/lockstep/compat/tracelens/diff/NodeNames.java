// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens.diff;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Names of nodes as the tool compares them, by number: addresses count as equal, line numbers of Python frames are left
 * out, the two vendors' calls that launch a kernel of a module are one. Loosely, frames of Python are compared by their
 * file alone.
 */
final class NodeNames {
    private static final Pattern ADDRESS = Pattern.compile("0x[0-9a-fA-F]+");
    private static final Pattern LINE = Pattern.compile("\\.py\\(\\d+\\):");
    private static final Pattern FUNCTION = Pattern.compile(":\\s+\\S+$");
    private static final Pattern FOLDER = Pattern.compile("^.*/([^/]+\\.py)$");
    private static final String LAUNCH = "__kernel_launch__";

    private final Map<String, Integer> numbers = new HashMap<>();

    /** The number of a name; equal numbers mean that the tool takes the names for equal. */
    int number(String name, boolean loose) {
        String normal = LINE.matcher(ADDRESS.matcher(name).replaceAll("0xXXXX")).replaceAll(".py:");
        if (loose) {
            normal = FOLDER.matcher(FUNCTION.matcher(normal).replaceFirst("")).replaceFirst("$1");
        }
        if (normal.equals("hipModuleLaunchKernel") || normal.equals("cuLaunchKernel")) {
            normal = LAUNCH;
        }
        Integer known = numbers.putIfAbsent(normal, numbers.size());
        return known == null ? numbers.size() - 1 : known;
    }
}
