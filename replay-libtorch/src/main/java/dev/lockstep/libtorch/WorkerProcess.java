// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.libtorch;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A process that answers lines with lines. Confined to one thread, but for the two that read what it prints. */
final class WorkerProcess implements AutoCloseable {
    /** What came instead of an answer. */
    static final class NoAnswer extends Exception {
        private static final long serialVersionUID = 1;

        /** Why there is none. */
        enum Why {
            ENDED,
            TOO_SLOW,
            TOO_LARGE
        }

        private final Why why;

        NoAnswer(Why why, String message) {
            super(message);
            this.why = why;
        }

        Why why() {
            return why;
        }
    }

    private static final int LAST_LINES = 12;
    private static final long LOOK_MS = 100;
    private static final long GRACE_S = 5;
    private static final int PAGE = 4096;
    private static final int SIGNALS = 128;

    /** Stands for the end of the output. */
    private static final String END = "";

    private final Process process;
    private final BooleanSupplier stop;
    private final Writer in;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> lastLines = new ArrayDeque<>();

    /**
     * Starts it.
     *
     * @param environment is added to that of this process
     * @param stop whether nobody waits for answers any more; asked all the time
     */
    WorkerProcess(List<String> command, Map<String, String> environment, BooleanSupplier stop) throws IOException {
        this.stop = stop;
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        process = builder.start();
        in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        follow(process.getInputStream(), true);
        follow(process.getErrorStream(), false);
    }

    private void follow(InputStream stream, boolean output) {
        Thread.ofVirtual().name("worker output").start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (output && line.startsWith(WorkerSettings.MARK)) {
                        answers.add(line.substring(WorkerSettings.MARK.length()));
                    } else {
                        remember(line);
                    }
                }
            } catch (IOException e) {
                remember(String.valueOf(e.getMessage()));
            }
            if (output) {
                answers.add(END);
            }
        });
    }

    /** Frames of a stack tell nobody anything. */
    private void remember(String line) {
        if (line.startsWith("\tat ")) {
            return;
        }
        synchronized (lastLines) {
            if (lastLines.size() == LAST_LINES) {
                lastLines.removeFirst();
            }
            lastLines.addLast(line);
        }
    }

    /** The last lines that it printed beside answers. */
    String lastWords() {
        synchronized (lastLines) {
            return String.join("\n", lastLines);
        }
    }

    /** Sends a line. A process that has ended is noticed when the answer is awaited. */
    void send(String line) {
        try {
            in.write(line);
            in.write('\n');
            in.flush();
        } catch (IOException e) {
            remember(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Waits for an answer.
     *
     * @param seconds how long at most
     * @param bytes how much memory the process may hold meanwhile
     */
    String answer(long seconds, long bytes) throws NoAnswer, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            @Nullable String answer = answers.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (stop.getAsBoolean()) {
                throw new InterruptedException("stopped");
            }
            if (answer != null && !answer.equals(END)) {
                return answer;
            }
            if (answer != null) {
                process.waitFor(GRACE_S, TimeUnit.SECONDS);
                throw new NoAnswer(NoAnswer.Why.ENDED, end());
            }
            long resident = residentBytes();
            if (resident > bytes) {
                throw new NoAnswer(
                        NoAnswer.Why.TOO_LARGE, "the process held " + resident + " bytes, " + bytes + " are allowed");
            }
            if (System.nanoTime() > deadline) {
                throw new NoAnswer(NoAnswer.Why.TOO_SLOW, "no end after " + seconds + " s");
            }
        }
    }

    private String end() {
        if (process.isAlive()) {
            return "it closed its output";
        }
        int status = process.exitValue();
        return status > SIGNALS ? "signal " + (status - SIGNALS) : "exit status " + status;
    }

    /** Memory that it holds, 0 where that cannot be asked. */
    long residentBytes() {
        Path file = Path.of("/proc", Long.toString(process.pid()), "statm");
        try {
            return Files.exists(file) ? Long.parseLong(Files.readString(file).split(" ")[1]) * PAGE : 0;
        } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return 0;
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends it, at once. */
    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(GRACE_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
