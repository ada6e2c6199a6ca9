// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.SplitOptions;
import dev.lockstep.SplitOptions.Iterations;
import dev.lockstep.SplitOptions.Load;
import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep split} that say what is cut out. */
final class SplitArguments {
    private String iterations = "all";
    private boolean single;
    private boolean steady;
    private boolean phases;
    private int steps = SplitOptions.STEPS;
    private @Nullable Integer concurrency;
    private @Nullable Double outputLength;
    private @Nullable Double ratio;
    private @Nullable String annotation;

    void declare(Arguments arguments) {
        arguments.option(
                "-i,--iterations",
                "WHICH",
                String.class,
                "all, a number N, or A:B for those from A to B-1, counted from 0 (default: all).",
                given -> iterations = given);
        arguments.flag(
                "--store-single-iteration",
                "Write each iteration into a file of its own (what happens when nothing else is asked for).",
                () -> single = true);
        arguments.flag(
                "--find-steady-state",
                "Write windows of the steady state: a representative one, decode only, prefill.",
                () -> steady = true);
        arguments.number("--num-steps", "N", 1, "Iterations of a window (default 32).", given -> steps = given);
        arguments.number(
                "--conc",
                "N",
                1,
                "Concurrent requests of the load. With --osl and --r, they choose the representative " + "window.",
                given -> concurrency = given);
        arguments.option(
                "--osl", "TOKENS", Double.class, "Most tokens that a request produces.", given -> outputLength = given);
        arguments.option(
                "--r",
                "SHARE",
                Double.class,
                "Requests produce from SHARE times --osl to --osl tokens (0 to 1).",
                given -> ratio = given);
        arguments.flag(
                "--divide-phases",
                "Write each iteration of the steady state into prefilldecodemix/ or decode_only/.",
                () -> phases = true);
        arguments.option(
                "--step-annotation",
                "NAME",
                String.class,
                "Annotations called NAME mark iterations, * matches anything (default: the steps of the " + "trace).",
                given -> annotation = given);
    }

    SplitOptions options() {
        return new SplitOptions(chosen(), single, steady, phases, steps, load(), annotation);
    }

    private @Nullable Load load() {
        if (outputLength != null && !(outputLength > 0) || ratio != null && !(ratio >= 0 && ratio <= 1)) {
            throw invalid("--osl wants a number above 0, --r one from 0 to 1");
        }
        return concurrency == null
                ? null
                : new Load(
                        concurrency,
                        outputLength == null ? Double.NaN : outputLength,
                        ratio == null ? Double.NaN : ratio);
    }

    private @Nullable Iterations chosen() {
        if (iterations.equals("all")) {
            return null;
        }
        if (!iterations.matches("\\d{1,9}(:\\d{1,9})?")) {
            throw invalid("--iterations wants all, N or A:B, not " + iterations);
        }
        String[] ends = iterations.split(":");
        int from = Integer.parseInt(ends[0]);
        return new Iterations(from, ends.length == 1 ? from + 1 : Integer.parseInt(ends[1]));
    }

    private static UserException invalid(String message) {
        return new UserException(ErrorCode.OPTION_INVALID, message, null);
    }
}
