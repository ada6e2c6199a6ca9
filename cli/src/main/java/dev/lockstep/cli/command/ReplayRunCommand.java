// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.StopSignal;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.replay.Replay;
import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayPlan;
import dev.lockstep.replay.plan.ReplayResult;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code lockstep replay run PLAN}: the operators of a plan, run one by one. */
public final class ReplayRunCommand implements Command {
    /** After this the program ends when the user stops it, whatever is left. */
    private static final Duration LONGEST_END = Duration.ofSeconds(10);

    private final ReplayRunArguments arguments = new ReplayRunArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep replay run plan.json -o result.json",
                "lockstep replay run plan.json -o result.json --device cuda --flush-cache");
        global = declared.global();
        arguments.declare(declared);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        ReplayRunArguments.Options options = arguments.options();
        Output.demandNoInput(options.result(), List.of(options.plan()));
        if (options.profile() != null) {
            Output.demandNoInput(options.profile(), List.of(options.plan()));
        }
        ReplayPlan plan = Replay.read(options.plan());
        if (plan.operators().isEmpty()) {
            throw new UserException(ErrorCode.NOTHING_TO_DO, options.plan() + ": the plan holds no operators", null);
        }
        try (StopSignal stop = StopSignal.listen(LONGEST_END, ExitStatus.INTERRUPTED);
                Output output = new Output();
                ReplayExecutor executor = Replay.executor(options.settings(), err::println, stop::isRequested);
                Progress progress = Progress.of(global)) {
            Path staged = output.file(options.result()); // now, so that a place that cannot be written to costs no time
            ReplayResult result = Replay.run(
                    plan,
                    executor,
                    options.mode(),
                    progress.counting("operators", plan.operators().size()));
            String noProfile = options.profile() == null ? null : profile(result, executor, output, options.profile());
            if (stop.isRequested()) {
                return ExitStatus.INTERRUPTED;
            }
            result.write(staged);
            output.commit();
            progress.close();
            if (!global.quiet()) {
                ReplayText.result(result, options.result(), out);
            }
            if (noProfile != null) {
                err.println(options.profile() + ": no trace of the profiler: " + noProfile);
            }
            return global.status(noProfile == null);
        } catch (InterruptedIOException e) {
            return ExitStatus.INTERRUPTED;
        }
    }

    /** Writes the trace of the profiler; says why there is none. */
    private static @Nullable String profile(ReplayResult result, ReplayExecutor executor, Output output, Path target)
            throws IOException {
        Path scratch = output.scratch(target);
        String failure = Replay.profile(result, executor, scratch);
        if (failure == null) {
            Files.move(scratch, output.file(target), StandardCopyOption.REPLACE_EXISTING);
        }
        return failure;
    }
}
