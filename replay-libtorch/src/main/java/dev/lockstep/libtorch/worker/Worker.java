// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch.worker;

import dev.lockstep.libtorch.WorkerSettings;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.ReplaySequence;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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

    private static final List<String> TOGETHER = List.of("c10", "c10_cuda", "torch_cpu", "torch_cuda", "torch");

    private Worker() {}

    /** Runs until its input ends. */
    public static void main(String[] words) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        endWithParent();
        WorkerSettings settings = WorkerSettings.parse(words);
        unpack();
        Loader.load(torch.class);
        torch.set_num_threads(settings.threads());
        touchMemory(settings.memory() / 4);
        if (settings.record() != null) {
            answer(answers, recording(settings, Path.of(settings.record())));
            return;
        }
        OperatorRunner runner = new OperatorRunner(settings);
        answer(answers, "ready " + runner.framework() + "\t" + runner.bus());
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8), 1 << 16)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answer(answers, answer(line, runner, settings));
            }
        }
    }

    private static String recording(WorkerSettings settings, Path folder) {
        try {
            return WorkerSettings.RECORDED
                    + new StepRecording(settings, folder).run().line();
        } catch (IOException e) {
            return WorkerSettings.NOT_RECORDED + String.valueOf(e.getMessage()).replace('\n', ' ');
        }
    }

    /**
     * Puts libraries that need each other beside each other before any is loaded. Unpacked one by one as they are loaded,
     * as the bindings do on their first start, the first would not find the others, and the attempt ends the process.
     */
    private static void unpack() throws IOException {
        for (String platform : List.of(Loader.getPlatform(), Loader.getPlatform() + "-gpu")) {
            for (String name : TOGETHER) {
                String file = "/org/bytedeco/pytorch/" + platform + "/" + System.mapLibraryName(name);
                if (torch.class.getResource(file) != null) {
                    Loader.cacheResource(torch.class, file);
                }
            }
        }
    }

    /** Whoever asked may be gone in the middle of an operator that takes long. */
    private static void endWithParent() {
        ProcessHandle.current()
                .parent()
                .ifPresent(parent -> Thread.ofVirtual().start(() -> {
                    parent.onExit().join();
                    Runtime.getRuntime().halt(1);
                }));
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
                        .run(ReplaySequence.read(line.substring(WorkerSettings.SEQUENCE.length())))
                        .line()
                : runner.run(PlanFile.readOperator(line)).line();
    }

    private static void answer(PrintStream answers, String line) {
        answers.print(WorkerSettings.MARK + line + "\n");
        answers.flush();
    }
}
