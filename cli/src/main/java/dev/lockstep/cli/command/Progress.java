// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.read.TraceInput;
import java.io.Console;
import java.io.IOException;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** A bar on a terminal while long work goes on; nothing in a pipe, nothing for short work. */
final class Progress implements AutoCloseable {
    private static final long LONG_WORK = 64L << 20;
    private static final int REFRESH_MS = 200;

    private final boolean visible;
    private @Nullable ProgressBar bar;

    private Progress(boolean visible) {
        this.visible = visible;
    }

    static Progress of(GlobalOptions global) {
        @SuppressWarnings("SystemConsoleNull") // some still return null where there is no terminal
        Console console = System.console();
        return new Progress(!global.quiet() && console != null && console.isTerminal());
    }

    /** Shows how much of a file was read. Packed files have no known size; for them the bar counts up. */
    LongConsumer reading(TraceInput input) throws IOException {
        if (!visible) {
            return bytes -> {};
        }
        long size = input.size();
        boolean packed = input.name().endsWith(".gz") || input.name().endsWith(".zip");
        return bytes -> {
            if (bar == null && bytes >= Math.min(LONG_WORK, size)) {
                bar = open(input, packed ? -1 : size);
            }
            if (bar != null) {
                bar.stepTo(bytes);
            }
        };
    }

    /** Says what goes on now. */
    void step(String what) {
        if (bar != null) {
            bar.setExtraMessage(what);
        }
    }

    private static ProgressBar open(TraceInput input, long size) {
        return new ProgressBarBuilder()
                .setTaskName(String.valueOf(input.path().getFileName()))
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
