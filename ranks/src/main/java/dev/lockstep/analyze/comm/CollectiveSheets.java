// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.derive.Bandwidth;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.LongColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The sheets with a row for each collective, and for each kernel. */
public final class CollectiveSheets {
    private static final String WAITING = TableNames.NCCL_IMPLICIT_SYNC;
    private static final String ONE_WAY = "nccl_one_way";

    private CollectiveSheets() {}

    /** {@code nccl_implicit_sync}: collectives whose members wait for the last. */
    public static Table waiting(Collectives collectives) {
        return fields(true)
                .table(
                        WAITING,
                        "Collectives whose members wait for the last",
                        collectives.all().stream()
                                .filter(c -> c.call().kind().synchronising())
                                .toList());
    }

    /** {@code nccl_one_way}: broadcasts, reductions to a root, gathers, scatters, messages, and what has no known kind. */
    public static Table oneWay(Collectives collectives) {
        return fields(false)
                .table(
                        ONE_WAY,
                        "Broadcasts, reductions to a root, gathers, scatters and messages",
                        collectives.all().stream()
                                .filter(c -> !c.call().kind().synchronising())
                                .toList());
    }

    /**
     * {@return for each collective its row in the sheet of its kind}
     *
     * @param collectives all there are
     */
    public static Function<Collective, Evidence> rows(Collectives collectives) {
        int[] lines = new int[collectives.match().size()];
        int waiting = 0;
        int oneWay = 0;
        for (Collective c : collectives.all()) {
            lines[c.instance()] = c.call().kind().synchronising() ? waiting++ : oneWay++;
        }
        return c ->
                new Evidence.Rows(c.call().kind().synchronising() ? WAITING : ONE_WAY, List.of(lines[c.instance()]));
    }

    /** Name, members and size of the group of the collective that a row is about. */
    static <R> Fields<R> addGroup(Fields<R> fields, Function<R, Collective> of) {
        return fields.add(group(), r -> groupName(of.apply(r).group()))
                .add(groupRanks(), r -> orNull(of.apply(r).group().members()))
                .add(groupSize(), r -> number(of.apply(r).expected()));
    }

    private static Fields<Collective> fields(boolean waiting) {
        Fields<Collective> fields = identity()
                .add(
                        micros(
                                ColumnNames.COMM_LATENCY,
                                "Shortest kernel among the ranks: what remains when waiting for others is taken away."),
                        Collective::latency)
                .add(
                        micros(
                                ColumnNames.SKEW_IN_START_TIME,
                                "First to last start, on one clock; missing where none is known."),
                        CollectiveSheets::startSkew);
        if (waiting) {
            waits(fields);
        }
        return fields.add(
                        micros(
                                ColumnNames.SKEW_IN_END_TIME,
                                "First to last end, on one clock; missing where none is known."),
                        CollectiveSheets::endSkew)
                .add(
                        rate(ColumnNames.ALGO_BW, "Size over latency, in 10^9 bytes per second."),
                        Collective::algorithmBandwidth)
                .add(
                        rate(ColumnNames.BUS_BW, "Of it, what crosses a link, by the factors of nccl-tests."),
                        Collective::busBandwidth)
                .add(
                        micros("start_us", "First start since the origin of the clock of the lowest rank."),
                        Collective::firstStart)
                .add(span(), c -> c.span().word());
    }

    /** Which collective it is, and of what size. */
    private static Fields<Collective> identity() {
        return new Fields<Collective>()
                .add(ColumnSpec.text(ColumnNames.COLLECTIVE_ID, "Process group and number in it."), Collective::id)
                .add(group(), c -> groupName(c.group()))
                .add(groupRanks(), c -> orNull(c.group().members()))
                .add(
                        ColumnSpec.text(
                                "matched by",
                                "What joins the members: sequence (recorded number), group_and_order, or kind_and_order"
                                        + " where no process group was recorded."),
                        c -> c.group().basis().name().toLowerCase(Locale.ROOT))
                .add(ColumnSpec.id("Seq", "Sequence number, or place in order."), Collective::number)
                .add(kind(), c -> c.call().kind().word())
                .add(collective(), c -> c.call().name())
                .add(groupSize(), c -> number(c.expected()))
                .add(ColumnSpec.count("ranks found", "Members whose kernels were found."), Collective::present)
                .add(dtype(), c -> c.call().dtype())
                .add(inElements(), c -> number(c.call().inElements()))
                .add(outElements(), c -> number(c.call().outElements()))
                .add(size(ColumnNames.FULL_MSG_SIZE_MB, "Size as bandwidths count it."), c -> number(c.bytes()));
    }

    /** Who waited for whom. */
    private static void waits(Fields<Collective> fields) {
        fields.add(
                        ColumnSpec.id("earliest arrival rank", "Rank that came first; of several the lowest."),
                        c -> c.waits() ? c.first() : null)
                .add(
                        ColumnSpec.id("latest arrival rank", "Rank that came last; of several the lowest."),
                        c -> c.waits() ? c.last() : null)
                .add(
                        ColumnSpec.real(
                                "avg_wait_time",
                                Unit.NANOSECONDS,
                                Unit.MICROSECONDS,
                                "Time from a rank's start to the last start, mean over ranks."),
                        c -> c.waits() ? (Double) ((double) c.waited() / c.present()) : null)
                .add(
                        micros("total_wait_us", "The same, summed over ranks; missing where it is unknown."),
                        c -> c.waits() ? c.waited() : null)
                .add(
                        micros("waited_for_host_us", "Part of it before the last rank's host had launched its kernel."),
                        c -> c.waits() ? c.waitedForHost() : null)
                .add(
                        micros("waited_for_device_us", "Part of it between that launch and the kernel's start."),
                        c -> c.waits() ? c.waitedForDevice() : null);
    }

    /** A kernel with the collective that it belongs to. */
    private record Kernel(RankCollectives rank, int row, Collective collective, long start, long waited) {
        CollectiveCall call() {
            return rank.call(row);
        }
    }

    /** {@code nccl_long}: all kernels, by collective, then rank. */
    public static Table kernels(Collectives collectives) {
        List<Kernel> rows = new ArrayList<>();
        for (Collective c : collectives.all()) {
            for (int m = 0; m < c.present(); m++) {
                RankCollectives rank = collectives.rank(collectives.match().rank(c.instance(), m));
                rows.add(new Kernel(
                        rank,
                        collectives.match().row(c.instance(), m),
                        c,
                        collectives.start(c.instance(), m),
                        collectives.waitOf(c, m)));
            }
        }
        return new Fields<Kernel>()
                .add(
                        ColumnSpec.text(ColumnNames.COLLECTIVE_ID, "Process group and number in it."),
                        k -> k.collective.id())
                .add(ColumnSpec.id("rank", "Rank of the process."), k -> k.rank.rank())
                .add(group(), k -> groupName(k.collective.group()))
                .add(groupRanks(), k -> k.call().groupRanks())
                .add(kind(), k -> k.call().kind().word())
                .add(collective(), k -> k.call().name())
                .add(groupSize(), k -> number(k.call().groupSize()))
                .add(dtype(), k -> k.call().dtype())
                .add(inElements(), k -> number(k.call().inElements()))
                .add(
                        size("In msg size (MB)", "Put in by the rank."),
                        k -> bytes(k.call(), k.call().inElements()))
                .add(outElements(), k -> number(k.call().outElements()))
                .add(
                        size("Out msg size (MB)", "Got out by the rank."),
                        k -> bytes(k.call(), k.call().outElements()))
                .add(inSplit(), k -> k.call().inSplit())
                .add(outSplit(), k -> k.call().outSplit())
                .add(stream(), k -> number(k.rank.stream(k.row)))
                .add(micros("ts", "Start on the clock that is used."), Kernel::start)
                .add(micros("dur", "Duration."), k -> k.rank.dur(k.row))
                .add(
                        micros(
                                "wait_time",
                                "From this start to that of the last rank, at most the duration; missing where nobody"
                                        + " waits, or it is unknown."),
                        k -> k.waited == LongColumn.ABSENT ? null : k.waited)
                .add(
                        ColumnSpec.id("node_id", "Node of the rank; missing when unknown."),
                        k -> number(collectives.nodes().node(k.rank.rank())))
                .add(span(), k -> k.collective.span().word())
                .table(TableNames.NCCL_LONG, "Communication kernels", rows);
    }

    static ColumnSpec group() {
        return ColumnSpec.text("Process Group Name", "Name of the process group; missing when not recorded.");
    }

    static ColumnSpec groupRanks() {
        return ColumnSpec.text(
                ColumnNames.PROCESS_GROUP_RANKS, "Members as the trace lists them; missing when not recorded.");
    }

    static ColumnSpec kind() {
        return ColumnSpec.text("kind", "What it does, whatever its name.");
    }

    static ColumnSpec collective() {
        return ColumnSpec.text(
                ColumnNames.COLLECTIVE_NAME, "Name that the framework gives it, else that of the kernel.");
    }

    static ColumnSpec groupSize() {
        return ColumnSpec.count(ColumnNames.GROUP_SIZE, "Number of members; missing when unknown.");
    }

    static ColumnSpec dtype() {
        return ColumnSpec.text("dtype", "Element type; missing when not recorded.");
    }

    static ColumnSpec inElements() {
        return ColumnSpec.count(ColumnNames.IN_MSG_NELEMS, "Elements that a rank puts in; missing when not recorded.");
    }

    static ColumnSpec outElements() {
        return ColumnSpec.count("Out msg nelems", "Elements that a rank gets out; missing when not recorded.");
    }

    static ColumnSpec inSplit() {
        return ColumnSpec.text("In split size", "Elements for each member in a variable all-to-all; may be missing.");
    }

    static ColumnSpec outSplit() {
        return ColumnSpec.text("Out split size", "Elements from each member, likewise; may be missing.");
    }

    static ColumnSpec stream() {
        return ColumnSpec.id("stream", "Stream of the device; missing when not recorded.");
    }

    static ColumnSpec span() {
        return ColumnSpec.text("node_span", "intra_node, inter_node or unknown: whether the members share a node.");
    }

    static ColumnSpec size(String header, String doc) {
        return ColumnSpec.real(header, Unit.BYTES, Unit.MEBIBYTES, doc + " In MiB; missing when unknown.");
    }

    static ColumnSpec rate(String header, String doc) {
        return ColumnSpec.real(
                header, Unit.BYTES_PER_SECOND, Unit.GIGABYTES_PER_SECOND, doc + " Missing without size or time.");
    }

    static @Nullable Double bytes(CollectiveCall call, long elements) {
        int bytes = Bandwidth.bytes(call.dtype());
        return bytes < 0 || elements < 0 ? null : (double) bytes * elements;
    }

    static @Nullable Long startSkew(Collective c) {
        return c.comparable() ? c.startSkew() : null;
    }

    static @Nullable Long endSkew(Collective c) {
        return c.comparable() ? c.endSkew() : null;
    }

    static @Nullable Long number(long value) {
        return value < 0 ? null : Long.valueOf(value);
    }

    /** The name of a group for readers, null when not recorded. */
    static @Nullable String groupName(Group group) {
        if (group.isPair()) {
            return group.name() + " " + group.from() + "→" + group.to();
        }
        return orNull(group.name());
    }

    static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
