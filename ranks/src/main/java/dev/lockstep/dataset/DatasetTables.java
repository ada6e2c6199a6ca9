// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.json;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Unit;
import java.util.List;

/**
 * The tables of a dataset. Whoever adds a column appends it to its table and raises {@link #VERSION}; readers of older versions
 * then still find theirs. Nothing is renamed or removed.
 */
public final class DatasetTables {
    /** The version of these definitions. */
    public static final int VERSION = 2;

    /** So many ranks share a file: rank over this is the number of its block. */
    public static final int BLOCK = 64;

    private static final String RANK = "Rank of the process.";
    private static final String STEP =
            "Number of the step as its annotation counts; missing for what belongs to no step.";

    /** Everything that has a begin and a duration. */
    public static final DatasetTable SLICES = new DatasetTable(
            "slices",
            "A slice: something that ran on a thread of the host or on a stream of a device, from a begin to an end.",
            Schema.of(
                    id("rank", RANK),
                    id("step", STEP + " Device activity belongs to the step in which it was launched."),
                    id("id", "Number of the slice within its rank, in order of start."),
                    id(
                            "parent_id",
                            "The slice of the same thread around it; missing on devices and for outermost ones."),
                    count("depth", "How many slices lie around it; missing on devices."),
                    text("kind", "What it is: annotation, python, cpu_op, runtime_call, kernel, memcpy and so on."),
                    text("category", "The category as the profiler writes it; missing where it writes none."),
                    text("name", "The name as recorded."),
                    text("process", "The process as the profiler names it."),
                    text("thread", "The thread or stream as the profiler names it."),
                    id("device", "Number of the device; missing on the host."),
                    id("stream", "Number of the stream; missing on the host, and where it was not recorded."),
                    nanos("ts_ns", "Start, after the origin of the run, on the clock of the rank."),
                    nanos("dur_ns", "Duration."),
                    nanos("self_ns", "Duration without what the slices directly inside it cover; missing on devices."),
                    id("launch_id", "The call that launched this device activity; missing where none is known."),
                    id(
                            "correlation",
                            "Number by which the profiler joins a launch and its activity; missing for none."),
                    id("op_id", "The operator around the launch of this device activity; missing where none is known."),
                    text("module", "The innermost module of the network around it; missing where none was recorded."),
                    text("kernel_class", "What device activity is for: compute, communication, memory, other."),
                    bytes("bytes", "Bytes that a copy or fill moves; missing elsewhere."),
                    id(
                            "name_hash",
                            "The name as a number that is the same in all runs: FNV-1a of its bytes in UTF-8, 64 bits"
                                    + " with a sign."),
                    real(
                            "flops",
                            Unit.FLOPS,
                            Unit.FLOPS,
                            "Floating-point operations of an operator by its model, those inside it included; missing"
                                    + " where no model knows it, and on all but operators."),
                    json("args", "Arguments as recorded, as a JSON object; missing unless they were asked for.")),
            List.of("rank", "ts_ns"),
            Level.FULL);

    /** Communication kernels and collectives of the host, each with the collective that it belongs to. */
    public static final DatasetTable COLLECTIVES = new DatasetTable(
            "collectives",
            "The kernel of one rank in one collective, or what its host did; rows of one instance belong together.",
            Schema.of(
                    id("rank", RANK),
                    id("instance", "Number of the collective within its run; the same on all its ranks."),
                    text("collective_id", "Process group and number in it, as the sheets of collectives have it."),
                    text("group", "Name of the process group; missing when not recorded."),
                    text("members", "Ranks of the group as recorded; missing when not recorded."),
                    count("group_size", "Ranks that the group has; missing when unknown."),
                    count("ranks_found", "Ranks whose kernels were found."),
                    id("sequence", "Sequence number in the group, or place in order."),
                    text("kind", "What the collective does."),
                    text("name", "The collective's recorded name, else the kernel's."),
                    text("dtype", "Type of the elements; missing when not recorded."),
                    bytes("bytes", "Size as bandwidths count it; missing when unknown."),
                    id("step_index", "Place of the step in which it was launched among the rank's steps, from 0."),
                    id("stream", "Number of the stream; missing when not recorded."),
                    nanos("ts_ns", "Start, after the origin of the run, on the clock of the rank."),
                    nanos("dur_ns", "Duration of the kernel."),
                    nanos("launch_ns", "Start of the call that launched it, likewise; missing when unknown."),
                    nanos(
                            "wait_ns",
                            "From the start to the last start of the instance, clocks corrected where they differ, at most"
                                    + " the duration; missing where ranks do not wait for one another, and where clocks are"
                                    + " unknown."),
                    nanos("transfer_ns", "Duration without the wait; missing likewise."),
                    nanos(
                            "late_ns",
                            "On the rank that came last: how much later than the last but one; missing on others."),
                    nanos(
                            "host_late_ns",
                            "On the rank that came last: of the waiting of all, what lies before its host had"
                                    + " launched."),
                    nanos(
                            "device_late_ns",
                            "On the rank that came last: of the waiting of all, what its device took after the"
                                    + " launch."),
                    id("last_rank", "Rank that came last; missing where ranks do not wait for one another."),
                    real(
                            "bus_bandwidth",
                            Unit.BYTES_PER_SECOND,
                            Unit.BYTES_PER_SECOND,
                            "What crosses a link in a second, by the factors of nccl-tests; missing when unknown."),
                    id("peer", "Rank on the other side of a message as recorded; missing for others.")),
            List.of("rank", "ts_ns"),
            Level.SKETCH);

    /** What each rank's devices did in each step. */
    public static final DatasetTable STEPS = new DatasetTable(
            "steps",
            "A step of one rank, and how the time of its device activity divides; one row without a number holds what"
                    + " belongs to no step.",
            Schema.of(
                    id("rank", RANK),
                    id("step", STEP),
                    id(
                            "step_index",
                            "Place of the step among the rank's, from 0; missing for what belongs to no step."),
                    nanos("ts_ns", "Start on the host, after the origin of the run; missing without a step."),
                    nanos("dur_ns", "Duration on the host; missing without a step."),
                    count(
                            "activities",
                            "Kernels, copies and fills launched in the step; without devices, operators of the host."),
                    nanos(
                            "device_ts_ns",
                            "First start of these, of a rank whose host exchanges data start of the step; missing"
                                    + " without any."),
                    nanos(
                            "total_ns",
                            "From the first start to the last end of these; of a rank whose host exchanges data, the"
                                    + " duration of the step, in which exchanges are communication."),
                    nanos("computation_ns", "Time with any computation."),
                    nanos("exposed_communication_ns", "Time with communication and no computation."),
                    nanos("exposed_copies_ns", "Time with copies or fills and neither of both."),
                    nanos("exposed_other_ns", "Time with nothing but other activity."),
                    nanos("idle_ns", "The rest of the total."),
                    nanos("communication_ns", "Time with any communication."),
                    nanos("copies_ns", "Time with any copies or fills."),
                    nanos("kernels_ns", "Sum of the durations of computing kernels."),
                    nanos(
                            "period_ns",
                            "From the end of the last activity of the step before to the end of its own last activity; of the first"
                                    + " step from its mark. Missing without activity."),
                    nanos("own_ns", "The period without exposed communication, waiting included. Missing likewise.")),
            List.of("rank", "step_index"),
            Level.SKETCH);

    /** Operators of one name and shape in a step of a rank. */
    public static final DatasetTable OPS = new DatasetTable(
            "ops",
            "Operators of one name, with inputs of the same shapes, in a step of a rank.",
            Schema.of(
                    id("rank", RANK),
                    id("step", STEP),
                    text("name", "Name of the operator."),
                    text("dims", "Shapes of the inputs as JSON; missing when not recorded."),
                    count("count", "Number of calls."),
                    nanos("host_ns", "Sum of their durations on the host."),
                    nanos("host_self_ns", "The same without what lies inside them."),
                    squares("host_square_ns2", "Sum of the squares of their durations on the host."),
                    nanos("host_min_ns", "Shortest call."),
                    nanos("host_max_ns", "Longest call."),
                    count("launches", "Device activities that were launched right inside them."),
                    nanos("device_ns", "Sum of the durations of these.")),
            List.of("rank", "step", "name", "dims"),
            Level.SKETCH);

    /** Kernels of one name and shape in a step of a rank. */
    public static final DatasetTable KERNELS = new DatasetTable(
            "kernels",
            "Kernels, copies and fills of one name under operators with inputs of the same shapes, in a step of a"
                    + " rank.",
            Schema.of(
                    id("rank", RANK),
                    id("step", STEP),
                    id("device", "Number of the device; missing when not recorded."),
                    text("kernel_class", "What they are for: compute, communication, memory, other."),
                    text("name", "Name of the kernel."),
                    text("dims", "Shapes of the inputs of the operator that launched them; missing when unknown."),
                    count("count", "Number of them."),
                    nanos("sum_ns", "Sum of their durations."),
                    squares("square_ns2", "Sum of the squares of their durations."),
                    nanos("min_ns", "Shortest."),
                    nanos("median_ns", "Median: of an even number the lower of the two in the middle."),
                    nanos("p90_ns", "Duration that nine of ten do not exceed."),
                    nanos("p99_ns", "Duration that 99 of 100 do not exceed."),
                    nanos("max_ns", "Longest.")),
            List.of("rank", "step", "device", "kernel_class", "name", "dims"),
            Level.SKETCH);

    /** The ranks of a run, read or not. */
    public static final DatasetTable RANKS = new DatasetTable(
            "ranks",
            "A rank of the run, or a file that belongs to none.",
            Schema.of(
                    id(
                            "rank",
                            "Rank of the process; missing for files that belong to none, and where it is not known."),
                    text("status", "read, partial, unreadable, missing or set_aside."),
                    text("rank_from", "How the number is known: trace, path or order; missing when nothing was read."),
                    text("file", "The trace; missing for none."),
                    text("note", "What is wrong; missing for nothing."),
                    text("format", "Format of the trace; missing when nothing was read."),
                    count("world_size", "Ranks of the run as the trace says; missing when it does not."),
                    text("host", "Host on which it ran; missing when not recorded."),
                    text("device_name", "The device as its vendor calls it; missing when not recorded."),
                    count("slices", "Slices of the trace; missing when nothing was read."),
                    nanos("start_ns", "First start of anything, after the origin of the run."),
                    nanos("end_ns", "Last end of anything, likewise."),
                    nanos(
                            "clock_offset_ns",
                            "How far the clock is ahead of that of the reference at clock_at_ns, by the ends of collectives"
                                    + " and messages; missing where nothing ties the two. Times of tables are not corrected"
                                    + " by it, waits are where clock_applied says so."),
                    nanos("clock_error_ns", "The offset is right to within this; missing without an estimate."),
                    count("clock_collectives", "Collectives and messages that the estimate rests on."),
                    bytes("file_bytes", "Size of the file; missing for none."),
                    nanos(
                            "clock_at_ns",
                            "When the clock_offset_ns holds, after the origin of the run; missing likewise."),
                    real("clock_drift_ppm", Unit.NONE, Unit.NONE, "By how much the offset grows; missing likewise."),
                    ColumnSpec.bool("clock_applied", "Whether waits are corrected by it.")),
            List.of("rank"),
            Level.SKETCH);

    /** What the allocator of a device allocated and took back. */
    public static final DatasetTable MEMORY = new DatasetTable(
            "memory",
            "Memory that an allocator allocated or freed.",
            Schema.of(
                    id("rank", RANK),
                    id("step", STEP),
                    nanos("ts_ns", "When, after the origin of the run."),
                    id("device", "Number of the device; missing for memory of the host."),
                    id("stream", "Number of the stream; missing when not recorded."),
                    bytes("bytes", "Bytes allocated, negative when freed."),
                    id("address", "Where the block begins; missing when not recorded."),
                    bytes("allocated", "Bytes of the device that are allocated after this; missing when not recorded."),
                    bytes("reserved", "Bytes that the allocator holds after this; missing when not recorded."),
                    id("op_id", "The innermost slice around it on its thread, by its number; missing for none.")),
            List.of("rank", "ts_ns"),
            Level.FULL);

    /** Counters. */
    public static final DatasetTable COUNTERS = new DatasetTable(
            "counters",
            "A value of a counter: what was sampled, what a profiler counted in a kernel, or the queue of launches of"
                    + " a stream.",
            Schema.of(
                    id("rank", RANK),
                    nanos("ts_ns", "When, after the origin of the run."),
                    text("counter", "What is counted; queue_length counts what was launched and has not ended."),
                    id("device", "Number of the device; missing when not recorded."),
                    id("stream", "Number of the stream; missing where it belongs to none."),
                    text("kernel", "The kernel in which it was counted; missing for counters of other things."),
                    real("value", Unit.OF_ROW, Unit.OF_ROW, "The value, in the unit of the counter."),
                    text(
                            "process",
                            "Whose counter it is, as the profiler names it; missing for queue_length and kernels."),
                    text("series", "Which of the values of a counter that has several; missing for others.")),
            List.of("rank", "ts_ns", "counter"),
            Level.FULL);

    /** What is worth knowing, in words. */
    public static final DatasetTable FINDINGS = new DatasetTable(
            "findings",
            "A finding: what is worth knowing, in words.",
            Schema.of(
                    id("rank", "Rank that it is about; missing for the run."),
                    text("severity", "problem, notice or info."),
                    text("code", "Stable word by which findings are told apart."),
                    text("text", "One sentence with its numbers."),
                    text("basis", "Where the numbers come from."),
                    text(
                            "sql",
                            "A query of this dataset that shows what it rests on; missing where no table holds it.")),
            List.of("rank", "severity", "code"),
            Level.SKETCH);

    /** Why traces are not to be believed in part. */
    public static final DatasetTable TRUST = new DatasetTable(
            "trust",
            "A reason not to believe the traces in part.",
            Schema.of(
                    id("rank", "Rank that it is about; missing for the run, which has those of its ranks, too."),
                    text("code", "Stable word for the kind of reason."),
                    count("count", "How many events, launches, ranks or collectives are touched."),
                    count("of_count", "Of how many."),
                    real("share", Unit.NONE, Unit.NONE, "The part of the time as recorded that is touched, 0 to 1."),
                    text("text", "What is wrong, with its numbers."),
                    text("withheld", "What is not said, words with blanks between; missing for a caveat."),
                    text("advice", "How to record better; missing for nothing.")),
            List.of("rank", "code"),
            Level.SKETCH);

    /** Slow ranks. */
    public static final DatasetTable SLOW_RANKS = new DatasetTable(
            "slow_ranks",
            "A rank that is slower than its peers by more than chance, or for which others wait most, and what the run gains without"
                    + " it.",
            Schema.of(
                    id("rank", RANK),
                    ColumnSpec.bool("slow", "Whether it is slow; the others are no slower than chance allows."),
                    id("since_step", "Place of the first step in which it is slow; missing for a rank that is not."),
                    real(
                            "excess_ns",
                            Unit.NANOSECONDS,
                            Unit.NANOSECONDS,
                            "Mean by which a step takes it longer; missing likewise."),
                    real(
                            "ratio",
                            Unit.NONE,
                            Unit.NONE,
                            "Its own time in a step by that of its peers; missing likewise."),
                    text("location", "Where it loses most of it: device, host or copies; missing likewise."),
                    nanos(
                            "gain_ns",
                            "By how much the run gets shorter if it keeps pace; missing where that is not known."),
                    nanos("remaining_ns", "What it costs where all other slow ranks keep pace; missing likewise."),
                    nanos(
                            "together_ns",
                            "By how much the run gets shorter if all slow ranks keep pace; missing likewise."),
                    nanos("of_ns", "Length of the run; missing likewise."),
                    real(
                            "confidence",
                            Unit.NONE,
                            Unit.NONE,
                            "Share of the critical path that rests on recorded dependencies.")),
            List.of("rank"),
            Level.SKETCH);

    /** What was odd about the input. */
    public static final DatasetTable DIAGNOSTICS = new DatasetTable(
            "diagnostics",
            "A kind of deviation in the file of a rank.",
            Schema.of(
                    id("rank", RANK),
                    text("weight", "How it bears on results: info, repaired or lost."),
                    text("code", "Stable word; the reference of errors explains it."),
                    count("count", "How often."),
                    text("message", "The first of them, in words."),
                    bytes("position", "Where in the file, unpacked; missing when it has no place.")),
            List.of("rank", "weight", "code"),
            Level.SKETCH);

    /** All tables, the most asked for first. */
    public static final List<DatasetTable> ALL = List.of(
            SLICES,
            COLLECTIVES,
            STEPS,
            OPS,
            KERNELS,
            RANKS,
            MEMORY,
            COUNTERS,
            FINDINGS,
            SLOW_RANKS,
            TRUST,
            DIAGNOSTICS);

    private DatasetTables() {}

    private static ColumnSpec nanos(String name, String doc) {
        return ColumnSpec.whole(name, Unit.NANOSECONDS, Unit.NANOSECONDS, doc);
    }

    private static ColumnSpec bytes(String name, String doc) {
        return ColumnSpec.whole(name, Unit.BYTES, Unit.BYTES, doc);
    }

    private static ColumnSpec squares(String name, String doc) {
        return real(name, Unit.NONE, Unit.NONE, doc + " In ns².");
    }
}
