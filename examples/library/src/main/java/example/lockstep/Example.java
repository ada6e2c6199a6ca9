// SPDX-License-Identifier: Apache-2.0
package example.lockstep;

import dev.lockstep.Lockstep;
import dev.lockstep.MergeResult;
import dev.lockstep.RankResult;
import dev.lockstep.Run;
import dev.lockstep.goal.GeneratedSchedule;
import dev.lockstep.goal.Goal;
import dev.lockstep.goal.GoalFiles;
import dev.lockstep.goal.GoalInput;
import dev.lockstep.goal.GoalOptions;
import dev.lockstep.goal.GoalSchedule;
import dev.lockstep.goal.model.Network;
import dev.lockstep.table.DoubleColumn;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** {@code Example RUN OUT}: everything that the library does, on the traces in the folder RUN. */
public final class Example {
    private Example() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Path out = Path.of(arguments[1]);
        try (Lockstep lockstep = Lockstep.open()) {
            Run run = lockstep.read(folder);
            oneFile(lockstep, run.files().getLast());
            aPattern(lockstep, folder.resolve("**.json"));
            timelines(run);
            slowestOperators(run.rank(0), 3);
            reports(lockstep, run, out.resolve("report"));
            merge(lockstep, run, out.resolve("all.pftrace"));
            schedule(run, out.resolve("schedule"));
        }
    }

    /** A file is a run of one rank, if it holds no more. */
    private static void oneFile(Lockstep lockstep, Path file) throws IOException {
        RankResult rank = lockstep.read(file).ranks().getFirst();
        say("%s is rank %d and has %d tables", file.getFileName(), rank.rank(), rank.tables().size());
    }

    private static void aPattern(Lockstep lockstep, Path pattern) throws IOException {
        say("%d files match the pattern", lockstep.read(pattern).files().size());
    }

    /** Each rank is read once; what is kept of it are tables. */
    private static void timelines(Run run) throws IOException {
        for (RankResult rank : run.ranks()) {
            Table timeline = rank.table("gpu_timeline");
            int time = timeline.schema().indexOf("time ms");
            say("rank %d, in %s:", rank.rank(), timeline.schema().get(time).shown());
            for (int row = 0; row < timeline.rows(); row++) {
                say("  %-22s %10.3f", timeline.strings(0).get(row), timeline.shown(time, row));
            }
        }
    }

    /** Columns are of primitives: longs count the unit of storage and are exact, doubles hold what was computed of them. */
    private static void slowestOperators(RankResult rank, int most) {
        Table operators = rank.table("ops_summary");
        StringColumn names = operators.strings(operators.schema().indexOf("name"));
        int column = operators.schema().indexOf("total_direct_kernel_time_ms");
        LongColumn nanoseconds = operators.longs(column);
        DoubleColumn percent = operators.doubles(operators.schema().indexOf("Percentage (%)"));
        long sum = 0;
        for (int row = 0; row < operators.rows(); row++) {
            sum += nanoseconds.get(row);
        }
        say("operators of rank %d: %d %s", rank.rank(), sum, operators.schema().get(column).unit());
        for (int row = 0; row < Math.min(most, operators.rows()); row++) {
            say("  %-40s %12d %6.2f %%", names.get(row), nanoseconds.get(row), percent.get(row));
        }
    }

    private static void reports(Lockstep lockstep, Run run, Path out) throws IOException {
        List<Path> written = lockstep.report(run).writeTo(out, "xlsx", "csv");
        say("%d reports and folders below %s", written.size(), out.getFileName());
    }

    /** What the run said to one another, for network simulators; how long it would take on another network. */
    private static void schedule(Run run, Path folder) throws IOException {
        GoalInput traces = new GoalInput.PyTorch("the run", run.files());
        GeneratedSchedule made = Goal.generate(traces, GoalOptions.DEFAULT);
        made.writeTo(folder, GoalFiles.DEFAULT);
        GoalSchedule schedule = Goal.read(folder.resolve(GoalFiles.TEXT));
        long makespan = schedule.simulate(Network.DEFAULT).makespanNs();
        say("a schedule of %d ranks, %s, %d ns long", made.ranks(), schedule.verify().correct() ? "sound" : "unsound", makespan);
    }

    /** The ending chooses the format. */
    private static void merge(Lockstep lockstep, Run run, Path file) throws IOException {
        MergeResult merged = lockstep.merge(run).withClocksAligned(0).writeTo(file);
        say("%d slices of %d ranks in %s", merged.summary().slices(), merged.ranks().worldSize(), file.getFileName());
    }

    private static void say(String format, Object... values) {
        System.out.println(format.formatted(values));
    }
}
