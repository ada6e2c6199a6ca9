// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * What people see of a launch: lines, and on a terminal a bar below them.
 *
 * <p>Not safe for several threads, but for the bar, which draws itself.
 */
public final class LaunchConsole implements AutoCloseable {
    private static final int REFRESH_MS = 500;
    private static final int SCALE = 1000;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean quiet;
    private final boolean terminal;
    private @Nullable ProgressBar bar;

    /**
     * @param quiet whether only problems shall be printed
     * @param terminal whether there is somebody who looks
     */
    public LaunchConsole(PrintWriter out, PrintWriter err, boolean quiet, boolean terminal) {
        this.out = out;
        this.err = err;
        this.quiet = quiet;
        this.terminal = terminal && !quiet;
    }

    boolean isTerminal() {
        return terminal;
    }

    void line(String text) {
        if (!quiet) {
            out.print(bar == null ? "" : CLEAR_LINE);
            out.println(text);
            out.flush();
        }
    }

    void problem(String text) {
        err.print(bar == null ? "" : CLEAR_LINE);
        err.println(text);
        err.flush();
    }

    /** Shows how far things are; only on a terminal. */
    void progress(int runs, double done, String what) {
        if (!terminal) {
            return;
        }
        if (bar == null) {
            bar = new ProgressBarBuilder()
                    .setTaskName("runs")
                    .setInitialMax((long) runs * SCALE)
                    .setUnit("", SCALE)
                    .setStyle(ProgressBarStyle.ASCII)
                    .setUpdateIntervalMillis(REFRESH_MS)
                    .clearDisplayOnFinish()
                    .hideEta()
                    .build();
        }
        bar.stepTo(Math.round(done * SCALE));
        bar.setExtraMessage(what);
    }

    /** Where the trainers' output is to be shown. */
    PrintWriter output() {
        return out;
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
            bar = null;
        }
    }
}
