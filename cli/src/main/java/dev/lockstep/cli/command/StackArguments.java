// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.work.StackTimes;
import dev.lockstep.cli.Arguments;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.Nearest;
import dev.lockstep.error.UserException;
import dev.lockstep.model.Trace;
import dev.lockstep.report.WeightedStacks;
import dev.lockstep.write.Output;
import dev.lockstep.write.StackFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stacks of a rank for flame graph viewers. */
final class StackArguments {
    private static final List<StackTimes> KINDS = List.of(
            new StackTimes(false, true),
            new StackTimes(false, false),
            new StackTimes(true, true),
            new StackTimes(true, false));

    private @Nullable Path folded;
    private @Nullable Path speedscope;
    private @Nullable String kind;

    void declare(Arguments arguments) {
        arguments.option(
                "--folded",
                "FILE",
                Path.class,
                "Write stacks with their times in ns, folded, for flame graphs.",
                given -> folded = given);
        arguments.option(
                "--folded-of",
                "KIND",
                String.class,
                "Which stacks --folded writes: " + String.join(", ", words())
                        + " (default device; host where no device did anything).",
                given -> kind = given);
        arguments.option(
                "--speedscope",
                "FILE",
                Path.class,
                "Write all kinds of stacks as one file for speedscope.",
                given -> speedscope = given);
        arguments.writes("--folded", "--speedscope");
    }

    private static List<String> words() {
        return KINDS.stream().map(StackTimes::word).toList();
    }

    /** Whether any file was asked for. */
    boolean isAsked() {
        return folded != null || speedscope != null;
    }

    /** Checks what was given; to be called before anything is read. */
    void demandUsable() {
        if (kind != null && folded == null) {
            throw new UserException(ErrorCode.OPTION_INVALID, "--folded-of belongs to --folded FILE", null);
        }
        if (kind != null && !words().contains(kind)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--folded-of knows no '" + kind + "'",
                    "Did you mean " + Nearest.of(kind, words()) + "? Known: " + String.join(", ", words()));
        }
    }

    /** Writes the files that were asked for. */
    void write(Trace trace, AnalysisRules rules, List<Path> inputs, Output output) throws IOException {
        if (!isAsked()) {
            return;
        }
        DerivedCache cache = new DerivedCache(trace);
        boolean device = cache.get(rules.activity()).size() > 0;
        if (folded != null) {
            Output.demandNoInput(folded, inputs);
            String word = kind == null ? device ? "device" : "host" : kind;
            StackTimes one = KINDS.stream()
                    .filter(stacks -> stacks.word().equals(word))
                    .findFirst()
                    .orElseThrow();
            StackFiles.folded(one.of(cache, rules), output.file(folded));
        }
        if (speedscope != null) {
            Output.demandNoInput(speedscope, inputs);
            List<WeightedStacks> all = KINDS.stream()
                    .filter(stacks -> device || !stacks.device())
                    .map(stacks -> stacks.of(cache, rules))
                    .toList();
            StackFiles.speedscope(trace.info().source(), all, output.file(speedscope));
        }
    }
}
