// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.page.Page;
import dev.lockstep.publish.page.PageItem;
import dev.lockstep.publish.page.PageItem.Column;
import dev.lockstep.report.ComparedRuns;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page about runs side by side: their pictures, and the numbers behind them. */
public final class RunPage {
    private static final String TITLE = "Performance Analysis Report";

    private final ComparedRuns facts;
    private final RunLook look;
    private final Map<String, byte[]> pictures;

    private RunPage(ComparedRuns facts, RunLook look, Map<String, byte[]> pictures) {
        this.facts = facts;
        this.look = look;
        this.pictures = pictures;
    }

    /**
     * The page.
     *
     * @param chapters of {@link RunFigures}, made with the same facts and look
     * @param pictures content of their files by name
     */
    public static Page of(
            ComparedRuns facts, RunLook look, List<RunFigures.Chapter> chapters, Map<String, byte[]> pictures) {
        RunPage page = new RunPage(facts, look, pictures);
        List<Page.Section> sections = new ArrayList<>();
        sections.add(new Page.Section("Executive Summary", List.of(new PageItem.Text(page.summary()))));
        for (int i = 0; i < chapters.size(); i++) {
            List<PageItem> items = new ArrayList<>(
                    chapters.get(i).figures().stream().map(page::image).toList());
            if (look.explained()) {
                page.tables(i, items);
            }
            sections.add(new Page.Section(chapters.get(i).title(), items));
        }
        return new Page(TITLE, String.join(", ", facts.runs()), sections);
    }

    private PageItem image(Figure figure) {
        byte[] png = pictures.get(figure.file());
        return new PageItem.Image(figure.heading(), figure.doc(), png, figure.file() + " is missing.");
    }

    private String summary() {
        long ranks = facts.times().stream()
                .flatMapToInt(times -> Arrays.stream(times.ranks()))
                .distinct()
                .count();
        String what = "This page compares "
                + String.join(", ", facts.runs().subList(1, facts.runs().size()))
                + " with the baseline " + facts.runs().getFirst() + " on "
                + (look.explained() ? ranks : 8) + (look.explained() && ranks == 1 ? " rank" : " ranks") + ".";
        return look.explained() ? what + " " + look.signs() + "." : what;
    }

    private void tables(int chapter, List<PageItem> items) {
        switch (chapter) {
            case 0 -> items.add(times());
            case 1 -> items.add(ranks());
            default -> {
                for (CollectiveMetric metric : CollectiveMetric.values()) {
                    items.add(collectives(metric));
                }
            }
        }
    }

    /** A column of values for each run, and one of changes for each but the baseline. */
    private List<Column> columns(String unit, Column... keys) {
        List<Column> columns = new ArrayList<>(List.of(keys));
        facts.runs().forEach(run -> columns.add(Column.number(run + ", " + unit)));
        facts.runs().stream().skip(1).forEach(run -> columns.add(Column.number("change of " + run + ", %")));
        return columns;
    }

    private PageItem times() {
        List<List<String>> rows = new ArrayList<>();
        for (ComparedRuns.Times times : facts.times()) {
            List<String> cells = new ArrayList<>(List.of(times.type()));
            cells(cells, times.ms(), times.change());
            rows.add(cells);
        }
        return new PageItem.Grid(
                "In numbers", "Mean over ranks. " + look.signs() + ".", columns("ms", Column.text("Type")), rows);
    }

    private PageItem ranks() {
        List<List<String>> rows = new ArrayList<>();
        for (ComparedRuns.Times times : facts.times()) {
            for (int i = 0; i < times.ranks().length; i++) {
                int place = i;
                List<String> cells = new ArrayList<>(List.of(times.type(), Integer.toString(times.ranks()[i])));
                cells(
                        cells,
                        Arrays.stream(times.rankMs())
                                .mapToDouble(run -> run[place])
                                .toArray(),
                        Arrays.stream(times.rankChange())
                                .mapToDouble(run -> run[place])
                                .toArray());
                rows.add(cells);
            }
        }
        List<Column> columns = columns("ms", Column.text("Type"), Column.number("Rank"));
        return new PageItem.Grid("In numbers", "Each rank. " + look.signs() + ".", columns, rows);
    }

    private PageItem collectives(CollectiveMetric metric) {
        List<List<String>> rows = new ArrayList<>();
        for (ComparedRuns.Calls collective : facts.calls()) {
            List<String> cells = new ArrayList<>(List.of(collective.name(), collective.elements(), collective.what()));
            cells(cells, collective.values()[metric.ordinal()], collective.changes()[metric.ordinal()]);
            rows.add(cells);
        }
        List<Column> columns = columns(
                look.unit(metric), Column.text("Collective"), Column.number("Elements"), Column.text("Type, group"));
        return new PageItem.Grid(metric.title, look.signs() + ".", columns, rows);
    }

    private static void cells(List<String> cells, double[] values, double[] changes) {
        for (double value : values) {
            cells.add(Double.isFinite(value) ? String.format(Locale.ROOT, "%,.3f", value) : "");
        }
        for (int run = 1; run < changes.length; run++) {
            cells.add(Double.isFinite(changes[run]) ? String.format(Locale.ROOT, "%+.2f", changes[run]) : "n/a");
        }
    }
}
