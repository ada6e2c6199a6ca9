// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Annotations that nobody declared to mark steps, and that do: one name but for numbers, at least {@value #FEWEST_REPEATS} times, over
 * more than half of the time of all annotations, named for a pass and not for a part of one. The name that covers most wins.
 *
 * @param name of the annotations, with # for numbers; null where there are none
 * @param marks the annotations, in order of time; they do not overlap
 */
record RepeatedPasses(@Nullable String name, StepMarks marks) {
    private static final int FEWEST_REPEATS = 3;

    /** Ends of names of a whole pass. Layers, blocks, loading of data and optimizers repeat, too, inside of one. */
    private static final Pattern PASS = Pattern.compile(
            "(?i)(?<!micro)(?<!micro[ _-])(iteration|iter|step|batch|request|epoch|forward|decode|prefill|inference|train|execute|generate)s?[^a-z]*$");

    private static final Pattern PART = Pattern.compile("(?i)optim|load|layer|block|module|expert|head|stage");
    private static final Pattern NUMBERS = Pattern.compile("\\d+");

    /** What a trace shows. */
    static RepeatedPasses of(Trace trace) {
        Slices slices = trace.slices();
        Map<String, IntList> named = new TreeMap<>();
        String[] plain = new String[trace.strings().size()];
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == SliceKind.ANNOTATION && slices.dur(i) > 0) {
                first = Math.min(first, slices.ts(i));
                last = Math.max(last, slices.end(i));
                int name = slices.name(i);
                if (plain[name] == null) {
                    plain[name] = NUMBERS.matcher(trace.name(i)).replaceAll("#");
                }
                named.computeIfAbsent(plain[name], n -> new IntList(8)).add(i);
            }
        }
        RepeatedPasses best = new RepeatedPasses(null, StepMarks.of(slices, new int[0]));
        long most = (last - first) / 2;
        for (Map.Entry<String, IntList> entry : named.entrySet()) {
            if (entry.getValue().size() < FEWEST_REPEATS || !isPass(entry.getKey())) {
                continue;
            }
            StepMarks marks = StepMarks.of(slices, entry.getValue().toArray());
            long covered = 0;
            for (int i = 0; i < marks.size(); i++) {
                covered += marks.end(i) - slices.ts(marks.slice(i));
            }
            if (marks.size() >= FEWEST_REPEATS && covered > most) {
                best = new RepeatedPasses(entry.getKey(), marks);
                most = covered;
            }
        }
        return best;
    }

    private static boolean isPass(String name) {
        return PASS.matcher(name).find() && !PART.matcher(name).find();
    }
}
