// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.Screen;
import dev.lockstep.model.Packing;
import dev.lockstep.read.TraceInput;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/** A bar on a terminal while long work goes on; nothing in a pipe, nothing for short work. */
final class Progress implements AutoCloseable {
    private static final long LONG_WORK = 64L << 20;
    private static final int REFRESH_MS = 200;
    private static final int FEWER_BYTES_PACKED = 8;

    private final boolean visible;
    private @Nullable ProgressBar bar;

    private Progress(boolean visible) {
        this.visible = visible;
    }

    static Progress of(GlobalOptions global) {
        return new Progress(!global.quiet() && Screen.isErrorShown());
    }

    /** Whether somebody looks. */
    static boolean isTerminal() {
        @SuppressWarnings("SystemConsoleNull") // some still return null where there is no terminal
        Console console = System.console();
        return console != null && console.isTerminal();
    }

    /** The width of the terminal in characters; 0 where there is none. */
    static int width() throws IOException {
        if (!isTerminal()) {
            return 0;
        }
        try (Terminal terminal = TerminalBuilder.builder().dumb(true).build()) {
            return terminal.getWidth();
        }
    }

    /** Shows how much of a file was read. Packed files have no known size; for them the bar counts up. */
    LongConsumer reading(TraceInput input) throws IOException {
        if (!visible) {
            return bytes -> {};
        }
        long size = input.size();
        boolean packed = Packing.packsAny(input.name());
        return bytes -> {
            if (bar == null && bytes >= LONG_WORK) {
                bar = open(String.valueOf(input.path().getFileName()), packed ? -1 : size);
            }
            if (bar != null) {
                bar.stepTo(bytes);
            }
        };
    }

    /** Shows how much of many files was read; nothing while they are few bytes. */
    LongConsumer reading(List<Path> files) throws IOException {
        if (!visible) {
            return bytes -> {};
        }
        long total = 0;
        for (Path file : files) {
            total += Files.exists(file) ? Files.size(file) : 0;
        }
        long size = total;
        return bytes -> showAll(files.size(), size, bytes);
    }

    private synchronized void showAll(int files, long size, long bytes) {
        if (bar == null && size >= LONG_WORK / FEWER_BYTES_PACKED) {
            bar = open(files + " files", -1);
        }
        if (bar != null) {
            bar.stepTo(Math.max(bytes, bar.getCurrent()));
        }
    }

    /** Says what goes on now. */
    void step(String what) {
        if (bar != null) {
            bar.setExtraMessage(what);
        }
    }

    /** Shows how many of some things are done. */
    IntConsumer counting(String what, int all) {
        if (!visible) {
            return done -> {};
        }
        return done -> {
            if (bar == null) {
                bar = new ProgressBarBuilder()
                        .setTaskName(what)
                        .setInitialMax(all)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setUpdateIntervalMillis(REFRESH_MS)
                        .clearDisplayOnFinish()
                        .build();
            }
            bar.stepTo(done);
        };
    }

    private static ProgressBar open(String name, long size) {
        return new ProgressBarBuilder()
                .setTaskName(name)
                .setInitialMax(size)
                .setUnit(" MB", 1 << 20)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(REFRESH_MS)
                .clearDisplayOnFinish()
                .build();
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
