// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Trace;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Operators that a shape profiler wrapped around functions carry a running number; without it the operators of all
 * layers have one name.
 */
final class ProfilerOpNames implements PseudoOps.Rule {
    static final String PREFIX = "sglang_profiler::";

    private static final Pattern NUMBERED = Pattern.compile("(" + PREFIX + ".+?)_\\d+");

    @Override
    public void apply(PseudoOpBuilder ops) {
        Trace trace = ops.trace();
        Set<String> names = new HashSet<>();
        for (int op : ops.matching(SliceKind.CPU_OP, name -> name.startsWith(PREFIX))) {
            names.add(trace.name(op));
        }
        for (String name : names) {
            String plain = plain(name);
            if (!plain.equals(name)) {
                ops.rename(name, plain);
            }
        }
    }

    /** The name without its running number. */
    static String plain(String name) {
        Matcher numbered = NUMBERED.matcher(name);
        return numbered.matches() ? numbered.group(1) : name;
    }
}
