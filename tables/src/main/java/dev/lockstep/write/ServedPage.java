// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.ChartSection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page that asks whoever serves it for the parts of its timeline that do not fit into it, by {@code tile?row=&from=&to=}.
 * Immutable.
 */
public final class ServedPage {
    /** As many slices go as they are; beyond, a part of a row goes in buckets. */
    private static final int MOST_SLICES = 20_000;

    private final byte[] page;
    private final List<TimelineRow> rows;
    private final int[] first;

    /**
     * Makes the page.
     *
     * @param report what it shows; of several timelines, the one at the foot of the page can be asked for parts
     * @throws IOException never, but that what is written may say so
     */
    public ServedPage(Report report) throws IOException {
        List<Section> sections = new ArrayList<>();
        List<TimelineRow> found = List.of();
        for (Section section : report.sections()) {
            Section made = section instanceof ChartSection one ? new ChartSection(one.chart()) : section;
            if (made instanceof ChartSection one && one.chart() instanceof Timeline line && isFirst(found, line)) {
                found = line.rows();
            }
            sections.add(made);
        }
        rows = found;
        first = new int[rows.size() + 1];
        for (int row = 0; row < rows.size(); row++) {
            first[row + 1] = first[row] + rows.get(row).start().length;
        }
        page = HtmlWriter.served(
                new Report(report.title(), report.subtitle(), sections, report.pages(), report.trust()));
    }

    /** The one that the page docks: the first with parts, else the first. */
    private static boolean isFirst(List<TimelineRow> found, Timeline line) {
        return found.isEmpty() || !hasParts(found) && hasParts(line.rows());
    }

    private static boolean hasParts(List<TimelineRow> rows) {
        return rows.stream().anyMatch(row -> !row.head().group().isEmpty());
    }

    /** {@return the page, as HTML} */
    public byte[] page() {
        return page.clone();
    }

    /**
     * A part of a row of the timeline.
     *
     * @param row place of the row, from 0
     * @param from start of the part in ns, seen from the start of the timeline
     * @param to its end
     * @return JSON as the page reads it, or null where there is no such row or part
     * @throws IOException never, but that what is written may say so
     */
    public byte @Nullable [] tile(int row, long from, long to) throws IOException {
        if (row < 0 || row >= rows.size() || from < 0 || to <= from) {
            return null;
        }
        return HtmlData.tile(TimelineData.tile(rows.get(row), first[row], from, to, MOST_SLICES));
    }
}
