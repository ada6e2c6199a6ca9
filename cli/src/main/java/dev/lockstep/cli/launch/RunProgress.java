// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Says how far a run is, and how long everything will still take: a bar on a terminal, a line now and then elsewhere. */
final class RunProgress {
    private static final Duration LINE_EVERY = Duration.ofSeconds(30);
    private static final String MAX_STEPS = "training.max_steps";

    private final Forecast forecast;
    private final String number;
    private final String title;
    private final LaunchConsole console;
    private final LaunchLog log;
    private final StepCount count;
    private final int steps;
    private final Instant begin = Instant.now();
    private Instant said = begin;

    RunProgress(RunPlan run, Forecast forecast, String number, LaunchConsole console, LaunchLog log) {
        this.forecast = forecast;
        this.number = number;
        this.title = run.setting().title();
        this.console = console;
        this.log = log;
        this.count = new StepCount(run.directory());
        this.steps = run.overrides()
                .value(MAX_STEPS)
                .filter(text -> text.matches("[1-9]\\d{0,8}"))
                .map(Integer::parseInt)
                .orElse(run.recipe().config().maxSteps());
    }

    void tick() {
        Instant now = Instant.now();
        boolean line = Duration.between(said, now).compareTo(LINE_EVERY) >= 0;
        if (!line && !console.isTerminal()) {
            return;
        }
        Duration elapsed = Duration.between(begin, now);
        int done = count.steps();
        double share = steps > 0 ? Math.min(1, done / (double) steps) : 0;
        Duration left = forecast.left(elapsed, share);
        if (console.isTerminal()) {
            console.progress(forecast.runs(), forecast.current() - 1 + share, brief(done, left));
        } else {
            log.say(text(elapsed, done, left));
            said = now;
        }
    }

    /** What is left of a line beside a bar is short; what matters most comes first. */
    private String brief(int done, @Nullable Duration left) {
        String text = left == null ? "" : Clock.text(left) + " left, ";
        if (done > 0) {
            text += "step " + done + (steps > 0 ? "/" + steps : "") + ", ";
        }
        return text + title;
    }

    private String text(Duration elapsed, int done, @Nullable Duration left) {
        String text = number + ": running for " + Clock.text(elapsed);
        if (done > 0) {
            text += ", step " + done + (steps > 0 ? " of " + steps : "");
        }
        return left == null ? text : text + ", all done in about " + Clock.text(left);
    }
}
