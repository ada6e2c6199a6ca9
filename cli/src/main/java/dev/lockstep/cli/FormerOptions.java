// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Map;

/**
 * Options under names that they had before. They are taken, with a note; where another tool is reproduced they are that
 * tool's own names, and nothing is said.
 */
final class FormerOptions {
    private FormerOptions() {}

    /**
     * The arguments under the names of today; what follows {@code --} stays.
     *
     * @param names names of today by the former ones
     */
    static String[] renamed(String[] args, Map<String, String> names, PrintWriter err) {
        boolean told = Arrays.stream(args).anyMatch(arg -> arg.equals("--compat") || arg.startsWith("--compat="));
        String[] renamed = args.clone();
        for (int i = 0; i < args.length && !args[i].equals("--"); i++) {
            int end = args[i].indexOf('=');
            String option = end < 0 ? args[i] : args[i].substring(0, end);
            String name = names.get(option);
            if (name != null) {
                renamed[i] = name + args[i].substring(option.length());
                if (!told) {
                    err.println("note: " + option + " is called " + name + " now");
                }
            }
        }
        return renamed;
    }
}
