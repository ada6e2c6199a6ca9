// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The processes of one run: starts them, waits, and leaves none behind. If one of several ranks fails, the others would
 * wait for it for ever; they are ended. Confined to one thread.
 */
final class RunProcesses {
    private static final Duration LOOK = Duration.ofMillis(100);
    private static final long REFRESH_NS = TimeUnit.MILLISECONDS.toNanos(400);
    private static final Duration LOG_DRAIN = Duration.ofSeconds(5);
    private static final int CANNOT_START = 127;
    private static final int SIGNAL = 128;

    private record Started(ProcessPlan plan, Process process, Thread log, CompletableFuture<Long> ended) {
        int exitCode() {
            return process.isAlive() ? -1 : process.exitValue();
        }

        boolean failed() {
            return exitCode() > 0;
        }

        /** When it was seen to end, for order alone. */
        long endedAt() {
            return ended.getNow(Long.MAX_VALUE);
        }
    }

    private final Limits limits;
    private final StopSignal stop;
    private final Runnable tick;
    private final List<Started> started = new ArrayList<>();
    private final ProcessTree tree = new ProcessTree();
    private final Instant begin = Instant.now();
    private @Nullable String reason;
    private int exitCode;
    private int guilty = -1;
    private RunStatus status = RunStatus.SUCCESS;

    /**
     * @param tick called ten times a second while the run goes on
     */
    RunProcesses(Limits limits, StopSignal stop, Runnable tick) {
        this.limits = limits;
        this.stop = stop;
        this.tick = tick;
    }

    /** Runs them all to their end. */
    RunEnd run(List<ProcessPlan> plans, RunLog log) {
        if (startAll(plans, log)) {
            watch();
        }
        endAll();
        started.forEach(RunProcesses::drain);
        judge();
        List<RunEnd.Ended> ranks = started.stream()
                .map(one -> new RunEnd.Ended(one.plan.rank(), one.process.pid(), one.exitCode()))
                .toList();
        return new RunEnd(status, exitCode, reason, begin, Instant.now(), ranks, log.lastLines(guilty));
    }

    private boolean startAll(List<ProcessPlan> plans, RunLog log) {
        for (ProcessPlan plan : plans) {
            ProcessBuilder builder = new ProcessBuilder(plan.command())
                    .redirectErrorStream(true)
                    .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
            builder.environment().putAll(plan.environment());
            try {
                Process process = builder.start();
                tree.add(process.toHandle());
                started.add(new Started(
                        plan,
                        process,
                        pump(process, plan.rank(), log),
                        process.onExit().thenApply(p -> System.nanoTime())));
            } catch (IOException e) {
                fail(CANNOT_START, "cannot start " + plan.command().getFirst() + ": " + e.getMessage());
                return false;
            }
        }
        return true;
    }

    private static Thread pump(Process process, int rank, RunLog log) {
        return Thread.ofPlatform().daemon().name("log").start(() -> log.copy(process.getInputStream(), rank));
    }

    private void watch() {
        long refreshed = System.nanoTime();
        while (started.stream().anyMatch(one -> one.process.isAlive())) {
            if (System.nanoTime() - refreshed > REFRESH_NS) {
                tree.refresh();
                refreshed = System.nanoTime();
            }
            if (stop.await(LOOK)) {
                status = RunStatus.STOPPED;
                reason = "stopped by the user";
                return;
            }
            if (limits.timeout() != null
                    && Duration.between(begin, Instant.now()).compareTo(limits.timeout()) > 0) {
                fail(-1, "took longer than " + Clock.text(limits.timeout()));
                return;
            }
            if (started.stream().anyMatch(Started::failed)) {
                return;
            }
            tick.run();
        }
    }

    private void fail(int code, String why) {
        status = RunStatus.FAILED;
        exitCode = code;
        reason = why;
    }

    /** Whoever failed did so before the others were ended. */
    private void endAll() {
        if (status == RunStatus.SUCCESS) {
            started.stream()
                    .filter(Started::failed)
                    .min(Comparator.comparingLong(Started::endedAt))
                    .ifPresent(one -> {
                        guilty = one.plan.rank();
                        String who = one.plan.rank() < 0 ? "the trainer" : "rank " + one.plan.rank();
                        fail(one.exitCode(), who + " ended with " + meaning(one.exitCode()));
                    });
        }
        if (status != RunStatus.SUCCESS) {
            endContainers();
        }
        tree.end(limits.grace());
    }

    private static String meaning(int code) {
        return code <= SIGNAL
                ? "exit status " + code
                : String.format(Locale.ROOT, "exit status %d (signal %d)", code, code - SIGNAL);
    }

    /** Ending the engine's client may leave the container running. */
    private void endContainers() {
        for (Started one : started) {
            if (one.plan.container() != null) {
                Programs.run(
                        Container.stop(one.plan.container(), limits.grace().toSeconds()),
                        limits.grace().plus(LOG_DRAIN));
            }
        }
    }

    private static void drain(Started one) {
        try {
            one.process.waitFor(LOG_DRAIN.toMillis(), TimeUnit.MILLISECONDS);
            one.log.join(LOG_DRAIN);
            one.process.getInputStream().close();
        } catch (IOException e) {
            // closed already
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void judge() {
        if (status == RunStatus.STOPPED || (status == RunStatus.FAILED && exitCode < 0)) {
            exitCode = started.isEmpty() ? -1 : started.getFirst().exitCode();
        }
    }

    /** The folder in which the programs run. */
    static Path directory() {
        return Path.of("").toAbsolutePath();
    }
}
