// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.derive.Steps;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.options.ReportOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The windows of time whose paths are asked for.
 *
 * @param kind which they are
 * @param annotation name of the annotations, for {@link Kind#NAMED}
 * @param index the one of these annotations, from 0 in order of time; -1 for all
 */
record PathRequest(Kind kind, @Nullable String annotation, int index) {
    enum Kind {
        NONE,
        WHOLE,
        STEPS,
        NAMED
    }

    /** One annotation of several: its name, and its index. */
    private static final Pattern ONE = Pattern.compile("(.+)#(\\d{1,9})");

    /** Understands what {@link ReportOptions.Paths#window} says. */
    static PathRequest of(@Nullable String window) {
        if (window == null) {
            return new PathRequest(Kind.NONE, null, -1);
        }
        if (window.equals(ReportOptions.Paths.WHOLE)) {
            return new PathRequest(Kind.WHOLE, null, -1);
        }
        if (window.equals(ReportOptions.Paths.STEP)) {
            return new PathRequest(Kind.STEPS, null, -1);
        }
        Matcher one = ONE.matcher(window);
        return one.matches()
                ? new PathRequest(Kind.NAMED, one.group(1), Integer.parseInt(one.group(2)))
                : new PathRequest(Kind.NAMED, window, -1);
    }

    /** The slices that mark windows: the annotations of the name, else those that mark steps. */
    int[] marks(Trace trace, Steps steps) {
        return annotation == null ? steps.marks() : Steps.marks(trace, annotation);
    }

    /**
     * The windows. Where several bear one name, each is told by its place among them.
     *
     * @param marked those that the trace marks, in order of time
     * @param whole the whole recording
     */
    List<PathWindow> windows(List<PathWindow> marked, PathWindow whole) {
        if (kind == Kind.NONE) {
            return List.of();
        }
        if (kind == Kind.WHOLE) {
            return List.of(whole);
        }
        if (marked.isEmpty() || index >= marked.size()) {
            String found = marked.isEmpty() ? "no" : "only " + marked.size();
            String marks = kind == Kind.STEPS ? "marked steps" : "annotations " + annotation;
            String wanted = index < 0 ? "" : ", and no " + annotation + "#" + index + ", counted from 0";
            throw new UserException(
                    ErrorCode.DATA_MISSING, "the trace has " + found + " " + marks + wanted, "ask for the whole trace");
        }
        List<PathWindow> named = distinct(marked);
        return index < 0 ? named : List.of(named.get(index));
    }

    private static List<PathWindow> distinct(List<PathWindow> windows) {
        Map<String, Integer> alike = new HashMap<>();
        windows.forEach(window -> alike.merge(window.name(), 1, Integer::sum));
        Map<String, Integer> seen = new HashMap<>();
        List<PathWindow> named = new ArrayList<>();
        for (PathWindow window : windows) {
            int place = seen.merge(window.name(), 1, Integer::sum) - 1;
            named.add(
                    Objects.requireNonNull(alike.get(window.name())) == 1
                            ? window
                            : window.named(window.name() + "#" + place));
        }
        return named;
    }
}
