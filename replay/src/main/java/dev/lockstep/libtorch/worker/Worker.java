// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.PlanFile;
import dev.lockstep.replay.Sequence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.global.torch;

/**
 * The program of the process. Lines in are operators as in plans, lines out are what came of each; the first line out says
 * that it is ready. Libraries may print what they like: lines of ours begin with {@link WorkerSettings#MARK}.
 */
public final class Worker {
    private static final int TOUCHED_BLOCKS = 12;
    private static final long TOUCHED_BYTES = 24 << 20;

    private Worker() {}

    /** Runs until its input ends. */
    public static void main(String[] words) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        WorkerSettings settings = WorkerSettings.parse(words);
        Loader.load(torch.class);
        torch.set_num_threads(settings.threads());
        touchMemory(settings.memory() / 4);
        if (settings.record() != null) {
            answer(
                    answers,
                    WorkerSettings.RECORDED
                            + new Recording(settings, Path.of(settings.record())).run().line());
            return;
        }
        OperatorRunner runner = new OperatorRunner(settings);
        answer(answers, "ready " + runner.framework());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answer(answers, answer(line, runner, settings));
            }
        }
    }

    /**
     * Gets memory from the system and gives it to the allocator, so that operators are not timed with the time to get new
     * memory. A program that has run for a while does not; what a profiler keeps for each call leaves holes, though.
     */
    private static void touchMemory(long most) {
        try (PointerScope scope = new PointerScope()) {
            for (int i = 0; i < Math.min(TOUCHED_BLOCKS, most / TOUCHED_BYTES); i++) {
                torch.zeros(TOUCHED_BYTES / Float.BYTES);
            }
        }
    }

    private static String answer(String line, OperatorRunner runner, WorkerSettings settings) throws IOException {
        return line.startsWith(WorkerSettings.SEQUENCE)
                ? new SequenceRunner(runner, settings)
                        .run(Sequence.read(line.substring(WorkerSettings.SEQUENCE.length())))
                        .line()
                : runner.run(PlanFile.readOperator(line)).line();
    }

    private static void answer(PrintStream answers, String line) {
        answers.print(WorkerSettings.MARK + line + "\n");
        answers.flush();
    }
}
