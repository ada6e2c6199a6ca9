// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The summary of a launch, in the layout that those of the old launchers had. */
final class LaunchSummary {
    private static final int CONFIG_RULE = 64;
    private static final int SWEEP_RULE = 52;

    private LaunchSummary() {}

    static List<String> lines(SweepPlan plan, List<Outcome> outcomes, ZonedDateTime now) {
        return switch (plan.recipe().pipeline()) {
            case CONFIG -> config(outcomes, now);
            case SWEEP -> sweep(outcomes, now);
        };
    }

    private static List<String> config(List<Outcome> outcomes, ZonedDateTime now) {
        List<String> lines = new ArrayList<>();
        lines.add(Pipeline.CONFIG.title());
        lines.add("Generated: " + Clock.date(now));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT, "%-20s %-10s %-15s %-10s", "CONFIGURATION", "CU_COUNT", "THREADS", "STATUS"));
        lines.add("-".repeat(CONFIG_RULE));
        for (Outcome outcome : outcomes) {
            if (outcome.run().setting() instanceof WarpSpeed speed) {
                lines.add(String.format(
                                Locale.ROOT,
                                "%-20s %-10s %-15s %-10s",
                                speed.name(),
                                speed.computeUnits(),
                                speed.threads(),
                                outcome.status())
                        + " (duration: " + outcome.seconds() + "s)");
            }
        }
        lines.add("");
        lines.add("Output directories:");
        outcomes.forEach(outcome -> lines.add("  " + outcome.run().setting().title() + ": "
                + folder(outcome.run().directory())));
        lines.add("");
        lines.add("Trace files for each configuration:");
        outcomes.forEach(outcome -> lines.add("  " + outcome.run().setting().title() + ": "
                + folder(outcome.run().directory().resolve("torch_profiler"))));
        return lines;
    }

    private static List<String> sweep(List<Outcome> outcomes, ZonedDateTime now) {
        List<String> lines = new ArrayList<>();
        lines.add(Pipeline.SWEEP.title() + " Summary");
        lines.add("Generated: " + Clock.date(now));
        lines.add("");
        lines.add(
                String.format(Locale.ROOT, "%-10s %-15s %-10s %-15s", "THREADS", "CHANNELS", "STATUS", "DURATION(s)"));
        lines.add("-".repeat(SWEEP_RULE));
        List<String> folders = new ArrayList<>();
        int group = -1;
        for (Outcome outcome : outcomes) {
            if (outcome.run().setting() instanceof ThreadsAndChannels cell) {
                if (cell.threads() != group) {
                    if (group >= 0) {
                        lines.add("");
                    }
                    group = cell.threads();
                    folders.add("  THREADS=" + group + ":");
                }
                lines.add(String.format(
                        Locale.ROOT,
                        "%-10s %-15s %-10s %-15s",
                        cell.threads(),
                        cell.channels(),
                        outcome.status(),
                        outcome.seconds()));
                folders.add("    - " + folder(outcome.run().directory()));
            }
        }
        lines.add("");
        lines.add("");
        lines.add("Output directories:");
        lines.addAll(folders);
        return lines;
    }

    private static String folder(Path path) {
        return path + "/";
    }
}
