// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.kernels.GanttChart;
import dev.lockstep.kernels.GanttLanes;
import dev.lockstep.session.RankSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code lockstep kernels gantt RANKS -o FILE}: when kernels ran, as a picture or a page. */
public final class KernelsGanttCommand implements Command {

    private final RankArguments ranks = new RankArguments();
    private final CompatKernels compat = new CompatKernels();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // required
    private Path target;

    private @Nullable Path csv;
    private @Nullable String window;
    private Set<String> devices = Set.of();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep kernels gantt trace.json -o a.png", "lockstep kernels gantt run/ -o b.svg");
        global = arguments.global();
        ranks.declare(arguments);
        arguments.required(
                "-o,--output",
                "FILE",
                Path.class,
                "The picture or page: .png, .svg or .html (with --compat: a folder).",
                given -> target = given);
        arguments.option(
                "--csv",
                "DIR",
                Path.class,
                "Also list the kernels of each rank and device: kernels_rankN_gpuM.csv.",
                given -> csv = given);
        arguments.writes("-o", "--csv");
        arguments.option(
                "--window",
                "FROM..TO",
                String.class,
                "Show a part of the time since the first kernel, such as 10ms..12ms.",
                given -> window = given);
        arguments.option(
                "--devices",
                "N,...",
                String.class,
                "Show only these devices.",
                given -> devices = new HashSet<>(KernelArguments.split(given)));
        compat.declareGantt(arguments);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (compat.isWanted()) {
            return compat.gantt(ranks, target, global, out, err);
        }
        GanttOutput output = GanttOutput.of(target, csv);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global)) {
            RankSet<GanttLanes> read = ranks.run(lockstep, progress).readEach(trace -> GanttLanes.of(trace, devices));
            List<GanttChart.Rank> present = present(read);
            if (present.isEmpty()) {
                throw nothing(read);
            }
            GanttChart chart = GanttWindow.part(window, GanttChart.of(present));
            progress.step("drawing");
            List<Path> written = output.write(chart, ranks, lockstep.session());
            progress.close();
            if (!global.quiet()) {
                GanttOutput.say(chart, written, out);
            }
            RankArguments.report(read, err);
            return global.status(ranks.isAnsweredBy(read));
        }
    }

    private static UserException nothing(RankSet<GanttLanes> read) {
        long leftOut = 0;
        for (RankSet.Member<GanttLanes> member : read.present()) {
            GanttLanes lanes = member.kept();
            leftOut += lanes == null ? 0 : lanes.leftOut();
        }
        return new UserException(
                ErrorCode.NOTHING_TO_DO,
                "there is no device activity to draw",
                leftOut > 0 ? "--devices leaves out all of " + leftOut + "." : Inputs.RECORD_DEVICES);
    }

    private static List<GanttChart.Rank> present(RankSet<GanttLanes> read) {
        List<GanttChart.Rank> present = new ArrayList<>();
        for (RankSet.Member<GanttLanes> member : read.present()) {
            GanttLanes lanes = member.kept();
            if (lanes != null && !lanes.lanes().isEmpty()) {
                present.add(new GanttChart.Rank(member.rank(), member.source(), lanes, 0));
            }
        }
        present.sort(Comparator.comparingInt(GanttChart.Rank::number));
        return present;
    }
}
