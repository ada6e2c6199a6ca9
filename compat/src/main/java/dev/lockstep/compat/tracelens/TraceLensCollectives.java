// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import dev.lockstep.derive.CollectiveKinds;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.model.Rank;
import dev.lockstep.options.CollectiveOptions;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.NotApplicable;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The report across ranks with the sheets, columns, orders and definitions of TraceLens. */
public final class TraceLensCollectives {
    /** What the tool takes for communication. */
    public static final RankCollectives.Key KERNELS = new RankCollectives.Key(
            new KernelRules(KernelRules.resource(TraceLensCollectives.class.getResourceAsStream("kernel-classes.txt"))),
            CollectiveKinds.standard(),
            LaunchRule.CORRELATION,
            false,
            false);

    private TraceLensCollectives() {}

    /**
     * The report of these ranks, which are in order.
     *
     * @param source what it was made from
     */
    public static Report of(List<RankCollectives> ranks, String source, CollectiveOptions options) {
        CollectiveFrame frame = new CollectiveFrame(ranks);
        CollectiveColumns columns = new CollectiveColumns(frame);
        Nodes nodes = new Nodes(gpusPerNode(ranks, options));
        ImplicitSync sync = new ImplicitSync(frame, columns, nodes);
        AllToAllV variable = new AllToAllV(frame, columns, nodes);
        LongSheets kernels = new LongSheets(frame, columns, nodes);
        List<Section> sections = new ArrayList<>();
        add(
                sections,
                sync.isEmpty()
                        ? Frames.withoutColumns("nccl_summary_implicit_sync")
                        : sync.summary(options.statistics()));
        add(
                sections,
                frame.size() == 0 ? Frames.withoutColumns("nccl_summary_long") : kernels.summary("nccl_summary_long"));
        if (!variable.isEmpty()) {
            add(sections, variable.summary(options.statistics()));
        }
        if (options.heatmap()) {
            Table heatmap = variable.heatmap();
            sections.add(
                    heatmap == null
                            ? new NotApplicable("nccl_all2allv_heatmap", "no all_to_allv with splits was recorded")
                            : new TableSection(heatmap));
        }
        add(sections, frame.size() == 0 ? Frames.withoutColumns("nccl_long") : kernels.kernels());
        add(sections, sync.isEmpty() ? Frames.withoutColumns("nccl_implicit_sync") : sync.instances());
        if (!variable.isEmpty()) {
            add(sections, variable.instances());
        }
        if (!sync.isEmpty()) {
            add(sections, sync.stragglers());
        }
        return new Report("TraceLens collective report", source, sections);
    }

    /** {@code coll_analysis} of the report of one rank; the tool calls every single rank 0. Empty if there is nothing. */
    static Optional<Table> single(DerivedCache trace) {
        RankCollectives kernels = trace.get(KERNELS);
        CollectiveFrame frame =
                new CollectiveFrame(List.of(kernels.withInfo(kernels.info().withRank(new Rank(0, Rank.Origin.ORDER)))));
        Table table = new LongSheets(frame, new CollectiveColumns(frame), new Nodes(-1)).summary("coll_analysis");
        return table.rows() == 0 ? Optional.empty() : Optional.of(table);
    }

    private static int gpusPerNode(List<RankCollectives> ranks, CollectiveOptions options) {
        int devices = ranks.isEmpty() ? 0 : ranks.getFirst().info().devices().size();
        return options.gpusPerNode() > 0 ? options.gpusPerNode() : devices > 0 ? devices : -1;
    }

    private static void add(List<Section> sections, Table table) {
        sections.add(new TableSection(table));
    }
}
