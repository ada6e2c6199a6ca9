// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import dev.lockstep.report.Answer;
import dev.lockstep.report.Chart;
import dev.lockstep.report.Chart.Box;
import dev.lockstep.report.Chart.Icicle;
import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineTexts;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Place;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Report;
import dev.lockstep.report.Section;
import dev.lockstep.report.Section.AnswerSection;
import dev.lockstep.report.Section.ChartSection;
import dev.lockstep.report.Section.FindingsSection;
import dev.lockstep.report.Section.TableSection;
import dev.lockstep.report.Subject;
import dev.lockstep.table.Column;
import dev.lockstep.table.StringColumn;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names in reports as people read them: those that a compiler mangled stand in the words of their source. */
public final class ShownNames {
    private static final String MANGLED = "_Z";

    /** What timelines call the part with rows of devices. */
    private static final String DEVICE = "device";

    private static final Pattern NAME = Pattern.compile("(?<![\\w$])_Z[\\w$]++(?:\\.[\\w$]++)*+");

    private final Map<String, String> known = new HashMap<>();

    private ShownNames() {}

    /** The report with readable names in its tables, findings and timelines. */
    public static Report of(Report report) {
        ShownNames names = new ShownNames();
        return new Report(
                report.title(),
                report.subtitle(),
                report.sections().stream().map(names::section).toList(),
                report.pages(),
                report.trust());
    }

    /** A name, or a text with names in it, as people read it. */
    public static String of(String text) {
        return new ShownNames().text(text);
    }

    private Section section(Section section) {
        return switch (section) {
            case TableSection one ->
                new TableSection(
                        table(one.table()),
                        () -> one.places().stream().map(this::evidence).toList());
            case ChartSection one -> new ChartSection(() -> chart(one.chart()), one.onPagesOnly());
            case FindingsSection one ->
                new FindingsSection(
                        one.title(), one.findings().stream().map(this::finding).toList());
            case AnswerSection one -> new AnswerSection(answer(one.answer()), one.restsOn());
            default -> section;
        };
    }

    private Answer answer(Answer answer) {
        return new Answer(
                answer.verdict(),
                answer.actions().stream()
                        .map(action -> new Answer.Action(
                                action.id(),
                                action.gainNs(),
                                action.lowNs(),
                                action.highNs(),
                                action.ofNs(),
                                action.text(),
                                action.snippet(),
                                action.check(),
                                action.assumption(),
                                action.evidence().stream().map(this::evidence).toList()))
                        .toList(),
                answer.togetherNs(),
                answer.steps());
    }

    private Finding finding(Finding finding) {
        return new Finding(
                finding.severity(),
                finding.code(),
                text(finding.text()),
                text(finding.basis()),
                finding.evidence().stream().map(this::evidence).toList(),
                finding.subject() instanceof Subject.Named named
                        ? new Subject.Named(named.kind(), text(named.name()))
                        : finding.subject(),
                finding.gain());
    }

    private Evidence evidence(Evidence evidence) {
        return switch (evidence) {
            case Evidence.Places places ->
                new Evidence.Places(places.places().stream().map(this::place).toList(), places.count());
            case Evidence.Pairs pairs ->
                new Evidence.Pairs(
                        pairs.pairs().stream()
                                .map(pair ->
                                        new Evidence.Pair(placeOrNull(pair.baseline()), placeOrNull(pair.candidate())))
                                .toList(),
                        pairs.count());
            case Evidence.Events events -> new Evidence.Events(text(events.name()));
            default -> evidence;
        };
    }

    private @Nullable Place placeOrNull(@Nullable Place place) {
        return place == null ? null : place(place);
    }

    private Place place(Place place) {
        return new Place(text(place.label()), place.start(), place.end());
    }

    private Chart chart(Chart chart) {
        return switch (chart) {
            case Timeline line ->
                new Timeline(
                        line.title(),
                        line.doc(),
                        line.startNs(),
                        line.endNs(),
                        line.classes(),
                        new TimelineTexts(
                                texts(line.texts().names()), texts(line.texts().details()), labels(line)),
                        line.rows());
            case Icicle icicle ->
                new Icicle(
                        icicle.title(),
                        icicle.doc(),
                        icicle.unit(),
                        icicle.boxes().stream()
                                .map(box -> new Box(text(box.label()), box.kind(), box.parent(), box.value()))
                                .toList());
            default -> chart;
        };
    }

    /** Short words for what devices ran. */
    private static List<String> labels(Timeline line) {
        List<String> names = line.texts().names();
        String[] labels = new String[names.size()];
        Arrays.fill(labels, "");
        for (Chart.TimelineRow row : line.rows()) {
            if (row.head().group().equals(DEVICE) && !row.head().counter()) {
                for (int name : row.name()) {
                    if (name >= 0 && labels[name].isEmpty()) {
                        labels[name] = KernelLabels.of(names.get(name));
                    }
                }
            }
        }
        return List.of(labels);
    }

    private List<String> texts(List<String> texts) {
        return texts.stream().map(this::text).toList();
    }

    private Table table(Table table) {
        if (table.columns().stream().noneMatch(ShownNames::isMangled)) {
            return table;
        }
        TableBuilder shown = new TableBuilder(table.name(), table.title(), table.schema());
        @Nullable Object[] cells = new @Nullable Object[table.columns().size()];
        for (int row = 0; row < table.rows(); row++) {
            for (int i = 0; i < cells.length; i++) {
                cells[i] = cell(table.columns().get(i), row);
            }
            shown.row(cells);
        }
        return shown.build();
    }

    private static boolean isMangled(Column column) {
        if (column instanceof StringColumn texts) {
            for (int row = 0; row < texts.size(); row++) {
                String text = texts.get(row);
                if (text != null && text.contains(MANGLED)) {
                    return true;
                }
            }
        }
        return false;
    }

    private @Nullable Object cell(Column column, int row) {
        return column.value(row) instanceof String text ? text(text) : column.value(row);
    }

    private String text(String text) {
        if (!text.contains(MANGLED)) {
            return text;
        }
        return NAME.matcher(text).replaceAll(found -> Matcher.quoteReplacement(name(found)));
    }

    private String name(MatchResult found) {
        return known.computeIfAbsent(found.group(), MangledNames::demangled);
    }
}
