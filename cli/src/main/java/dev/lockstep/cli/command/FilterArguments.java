// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.merge.MergeFilter;
import dev.lockstep.merge.MergeFilter.Condition;
import dev.lockstep.merge.MergeFilter.Kind;
import dev.lockstep.merge.TracePart;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.List;

/** The options that say which part of traces is meant. */
final class FilterArguments {
    private final List<Condition> conditions = new ArrayList<>();

    void declare(Arguments arguments) {
        arguments.option(
                "--filter",
                "WHAT",
                String[].class,
                "Keep only cat=A,B, name=PATTERN, under=PATTERN, stream=7,20, time=FROM..TO, step=3..5 or rank=0,4..7;"
                        + " repeatable.",
                given -> add(given, true));
        arguments.option(
                "--drop", "WHAT", String[].class, "Leave out what matches, as --filter.", given -> add(given, false));
    }

    private void add(String[] given, boolean keep) {
        for (String text : given) {
            Condition condition = MergeFilter.parse(text, keep);
            if (!conditions.contains(condition)) {
                conditions.add(condition);
            }
        }
    }

    /** Whether nothing was asked for. */
    boolean isOpen() {
        return conditions.isEmpty();
    }

    /** What was asked for. */
    List<Condition> conditions() {
        return List.copyOf(conditions);
    }

    MergeFilter filter() {
        return new MergeFilter(conditions, false);
    }

    /** Refuses ranks, for commands that are told by their arguments which are meant. */
    void demandWithin(String command) {
        if (conditions.stream().anyMatch(c -> c.kind() == Kind.RANK)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "filters of " + command + " look into traces, and do not choose ranks",
                    "Name the traces of the ranks. Of a file with several ranks, give --rank N.");
        }
    }

    /** Refuses filters beside an option that is about the whole trace. */
    void demandOpenFor(String option, boolean given) {
        if (given && !isOpen()) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    option + " writes the whole trace, and does not work with --filter and --drop",
                    "Cut the trace first: lockstep merge TRACE --filter … -o PART.json");
        }
    }

    /** The part of a trace. */
    Trace part(Trace trace) {
        return TracePart.of(trace, filter());
    }
}
