// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.libtorch.WorkerProcess.NoAnswer;
import dev.lockstep.replay.plan.OperatorRun;
import dev.lockstep.replay.plan.PlanFile;
import dev.lockstep.replay.plan.PlannedOperator;
import dev.lockstep.replay.plan.ReplayExecutor;
import dev.lockstep.replay.plan.ReplayGap;
import dev.lockstep.replay.plan.ReplaySequence;
import dev.lockstep.replay.plan.SequenceRun;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs operators in a worker process. When it ends, hangs or grows too large, the operator at hand is to blame: it is
 * reported, and the next one gets a new process.
 */
public final class LibtorchExecutor implements ReplayExecutor {
    private static final long START_S = 180;

    private static final String READY = "ready ";
    private static final long MB = 1L << 20;

    private final List<String> command;
    private final WorkerSettings settings;
    private final BooleanSupplier stop;
    private final long secondsPerOperator;
    private final long residentBytes;
    private @Nullable WorkerProcess worker;
    private String framework = "";
    private String bus = "";
    private int restarts;

    /**
     * @param program the command that starts a worker, without its settings
     * @param residentBytes how much memory the worker may hold
     * @param stop whether the run shall end; asked all the time
     */
    public LibtorchExecutor(List<String> program, WorkerSettings settings, long residentBytes, BooleanSupplier stop) {
        command = new ArrayList<>(program);
        command.addAll(settings.words());
        this.settings = settings;
        this.stop = stop;
        secondsPerOperator =
                Math.max(1, TimeUnit.NANOSECONDS.toSeconds(settings.repeats().limitNs()));
        this.residentBytes = residentBytes;
    }

    @Override
    public OperatorRun run(PlannedOperator operator) throws IOException {
        WorkerProcess running = worker();
        running.send(PlanFile.operatorLine(operator));
        try {
            return OperatorRun.read(running.answer(secondsPerOperator, residentBytes));
        } catch (NoAnswer e) {
            return OperatorRun.failed(
                    switch (e.why()) {
                        case ENDED -> ReplayGap.CRASHED;
                        case TOO_SLOW -> ReplayGap.TIMED_OUT;
                        case TOO_LARGE -> ReplayGap.MEMORY;
                    },
                    ended(running, e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** In a process of its own, whose memory nothing else has used. */
    @Override
    public SequenceRun run(ReplaySequence sequence) throws IOException {
        close();
        WorkerProcess running = worker();
        running.send(WorkerSettings.SEQUENCE + sequence.line());
        try {
            return SequenceRun.read(running.answer(WorkerSettings.SEQUENCE_SHARE * secondsPerOperator, residentBytes));
        } catch (NoAnswer e) {
            return SequenceRun.failed(ended(running, e));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Ends what gave no answer; says what is known about why. */
    private String ended(WorkerProcess running, NoAnswer why) {
        close();
        restarts++;
        String words = frame(running.lastWords());
        return words.isEmpty() ? String.valueOf(why.getMessage()) : why.getMessage() + "; it said last: " + words;
    }

    /** Of the report of a crash, the line that says where; of anything else, the last line. */
    private static String frame(String words) {
        return words.lines()
                .filter(line -> line.startsWith("# C ") || line.startsWith("# V ") || line.startsWith("# J "))
                .findFirst()
                .map(line -> line.substring(2).strip())
                .orElse(words.lines().reduce("", (before, line) -> line));
    }

    private IOException interrupted(InterruptedException e) {
        close();
        Thread.currentThread().interrupt();
        InterruptedIOException stopped = new InterruptedIOException("interrupted");
        stopped.initCause(e);
        return stopped;
    }

    /**
     * Starts the worker if none runs.
     *
     * @throws UserException when the first one does not start
     * @throws IOException when a later one does not
     */
    private WorkerProcess worker() throws IOException {
        if (worker != null && worker.isAlive()) {
            return worker;
        }
        boolean first = framework.isEmpty();
        WorkerProcess started = new WorkerProcess(command, WorkerCommand.environment(settings), stop);
        worker = started;
        try {
            String hello = started.answer(START_S, Long.MAX_VALUE);
            String[] words = (hello.startsWith(READY) ? hello.substring(READY.length()) : hello).split("\t", 2);
            framework = words[0];
            bus = words.length > 1 ? words[1] : "";
        } catch (NoAnswer e) {
            close();
            String words = "the process that runs operators did not start: " + e.getMessage();
            if (first) {
                String said = started.lastWords();
                throw new UserException(ErrorCode.TOOL_FAILED, words, said.isBlank() ? null : said);
            }
            throw new IOException(words);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        if (first) {
            demandRoom(started.residentBytes());
        }
        return started;
    }

    private void demandRoom(long needed) {
        if (needed > residentBytes) {
            close();
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "the process that runs operators holds " + needed / MB + " MB before it runs any; "
                                    + residentBytes / MB + " MB are allowed",
                            "Give it more.")
                    .about("memory limit");
        }
    }

    @Override
    public Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("framework", framework);
        facts.put("device", settings.device());
        if (!bus.isEmpty()) {
            facts.put("bus_id", bus);
        }
        facts.put(
                "processor",
                System.getProperty("os.arch") + ", " + Runtime.getRuntime().availableProcessors() + " cores");
        facts.put("threads", Integer.toString(settings.threads()));
        facts.put("cache", settings.cache().words());
        facts.put("worker_restarts", Integer.toString(restarts));
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        facts.put("load_average", load < 0 ? "unknown" : String.format(Locale.ROOT, "%.2f", load));
        return facts;
    }

    @Override
    public void close() {
        if (worker != null) {
            worker.close();
            worker = null;
        }
    }
}
