// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.codec.Secrets;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** A plan as a shell script that does what the launch would do. */
public final class DryRun {
    /** Stands for the free port that a launch looks for. */
    private static final int PORT = 29500;

    private DryRun() {}

    public static void print(SweepPlan plan, PrintWriter out) {
        out.println("# " + plan.recipe().pipeline().title() + ": " + plan.runs().size()
                + (plan.runs().size() == 1 ? " run" : " runs") + ", in this order. Nothing is started.");
        if (plan.recipe().launcher() == Launcher.DIRECT && plan.recipe().nodes().isAlone()) {
            out.println("# MASTER_PORT: each run takes a free port; " + PORT + " stands for it.");
        }
        int number = 0;
        for (RunPlan run : plan.runs()) {
            number++;
            out.println();
            out.println("# " + number + "/" + plan.runs().size() + ": "
                    + run.setting().title());
            print(run, out);
        }
    }

    private static void print(RunPlan run, PrintWriter out) {
        String directory = ShellText.word(run.directory().toString());
        String log = ShellText.word(RunDirectory.of(run).log().toString());
        out.println("mkdir -p " + directory);
        List<ProcessPlan> processes = run.processes(PORT);
        if (processes.size() == 1) {
            print(processes.getFirst(), "", out);
            out.println("  > " + log + " 2>&1");
            return;
        }
        out.println("{");
        for (ProcessPlan process : processes) {
            print(process, "  ", out);
            out.println("    &");
        }
        out.println("  wait");
        out.println("} > " + log + " 2>&1");
    }

    private static void print(ProcessPlan process, String indent, PrintWriter out) {
        for (Map.Entry<String, String> variable : process.environment().entrySet()) {
            String value = new Secrets().value(variable.getKey(), variable.getValue());
            out.println(indent + ShellText.assignment(variable.getKey(), value) + " \\");
        }
        out.println(indent + "  " + ShellText.line(new Secrets().words(process.command())) + " \\");
    }
}
