// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.reconcile;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.replay.reconcile.PartsEnergy.Row;
import dev.lockstep.replay.reconcile.Reconciliation.Contribution;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Parts, kinds of parts, and what leads from them to the whole, as sheets. */
final class ReconciliationSheets {
    private static final double PERCENT = 100;

    /** Sums over the parts of a kind. */
    private static final class Kind {
        private final String name;
        private long parts;
        private long calls;
        private double allNs;
        private double passNs;
        private double allJoules;
        private double passJoules;
        private boolean powered;

        private Kind(String name) {
            this.name = name;
        }

        private void add(Part part, double perPass) {
            parts++;
            calls += part.calls();
            if (part.isMeasured()) {
                allNs += part.ns() * part.calls();
                passNs += part.ns() * perPass;
            }
        }

        private void add(Row row, double perPass) {
            powered = true;
            allJoules += row.all();
            passJoules += row.perCall() * perPass;
        }
    }

    private ReconciliationSheets() {}

    /** What leads from the parts to the whole; the column of times adds up to the whole. */
    static Table contributions(Reconciliation reconciled) {
        List<Contribution> rows = new ArrayList<>();
        rows.add(new Contribution("parts alone", reconciled.predicted(), "time alone times calls of one pass"));
        rows.addAll(reconciled.contributions());
        double whole = Double.isNaN(reconciled.whole().ns())
                ? reconciled.predicted()
                : reconciled.whole().ns();
        return new Fields<Contribution>()
                .add(ColumnSpec.text("contribution", "What leads from the parts to the whole."), Contribution::label)
                .add(
                        ms(
                                "ms",
                                "Time of one pass; negative where it makes the whole shorter. The column adds up to the whole."),
                        Contribution::ns)
                .add(
                        ColumnSpec.percent(
                                ColumnNames.SHARE_PERCENT, "Of the whole; of the parts where the whole is not known."),
                        c -> PERCENT * c.ns() / whole)
                .add(ColumnSpec.text("how", "How it is found."), Contribution::doc)
                .table("contributions", "From the parts to the whole", rows);
    }

    /** Sums by kind, in the order in which kinds occur. */
    static Table kinds(Reconciliation reconciled) {
        boolean powered = reconciled.energy() != null;
        double all = reconciled.predictedAll();
        return new Fields<Kind>()
                .add(ColumnSpec.text("kind", "How parts were measured."), kind -> kind.name)
                .add(ColumnSpec.count("parts", "Number of parts."), kind -> kind.parts)
                .add(ColumnSpec.count("calls", "Calls in the recording."), kind -> kind.calls)
                .add(ms("all ms", "Time alone times calls, whole recording."), kind -> kind.allNs)
                .add(ms("pass ms", "The same for one pass."), kind -> kind.passNs)
                .add(
                        ColumnSpec.percent("time %", "Share of the sum of all parts."),
                        kind -> all == 0 ? null : PERCENT * kind.allNs / all)
                .addIf(
                        powered,
                        joules(
                                "all J",
                                "Energy of all calls of the recording; missing where that of no part is known."),
                        kind -> kind.powered ? (Double) kind.allJoules : null)
                .addIf(
                        powered,
                        joules("pass J", "Energy of one pass; likewise."),
                        kind -> kind.powered ? (Double) kind.passJoules : null)
                .table("kinds", "Kinds of parts", sums(reconciled));
    }

    private static List<Kind> sums(Reconciliation reconciled) {
        Map<String, Kind> kinds = new LinkedHashMap<>();
        for (Part part : reconciled.isolated().parts()) {
            kinds.computeIfAbsent(part.kind(), Kind::new).add(part, reconciled.perPass(part));
        }
        PartsEnergy energy = reconciled.energy();
        if (energy != null) {
            for (Row row : energy.rows()) {
                kinds.computeIfAbsent(row.part().kind(), Kind::new).add(row, reconciled.perPass(row.part()));
            }
        }
        return List.copyOf(kinds.values());
    }

    /** All parts, the longest sum first, those that were not measured last. */
    static Table parts(Reconciliation reconciled) {
        List<Part> parts = new ArrayList<>(reconciled.isolated().parts());
        parts.sort(Comparator.comparingDouble((Part p) -> p.isMeasured() ? -p.ns() * p.calls() : 0)
                .thenComparing(Part::name));
        boolean identified = parts.stream().anyMatch(part -> part.identity().id() >= 0);
        Fields<Part> fields = PartColumns.of(new Fields<Part>(), part -> part, identified)
                .add(ColumnSpec.text("missing", "Why it was not measured; missing when it was."), Part::missing)
                .add(ColumnSpec.count("calls", "Calls in the recording."), Part::calls)
                .add(
                        count(
                                "calls per pass",
                                "Calls in the steps over their number; without steps, all calls over the number of passes."),
                        reconciled::perPass);
        addTimes(fields, reconciled);
        return fields.add(
                        ColumnSpec.count(
                                "runs stated", "Executions as the benchmark states them; missing when it does not."),
                        p -> p.runs() < 0 ? null : p.runs())
                .add(
                        count("runs possible", "Window over the time of one execution; missing without a window."),
                        Part::possibleRuns)
                .table("parts", "Parts", parts);
    }

    private static void addTimes(Fields<Part> fields, Reconciliation reconciled) {
        double all = reconciled.predictedAll();
        boolean ordered = reconciled.isolated().parts().stream().anyMatch(part -> !Double.isNaN(part.inOrderNs()));
        fields.add(us("alone us", "One execution alone; missing when it was not measured."), Part::ns)
                .addIf(
                        ordered,
                        us(
                                "in order us",
                                "One execution among the others, in recorded order; missing when it was not run so."),
                        Part::inOrderNs)
                .add(us("pass us", "Time alone times calls of one pass."), p -> p.ns() * reconciled.perPass(p))
                .add(
                        ColumnSpec.percent("time %", "Share of the sum of all parts."),
                        p -> all == 0 ? null : PERCENT * p.ns() * p.calls() / all)
                .add(
                        us("recorded pass us", "What the same calls took in the recording; missing when unknown."),
                        p -> p.calls() == 0 ? null : p.recordedNs() / p.calls() * reconciled.perPass(p));
    }

    /**
     * The energy of parts.
     *
     * @param perPass calls of a part in one pass
     */
    static Table energy(PartsEnergy energy, ToDoubleFunction<Part> perPass) {
        List<Row> rows = energy.rows();
        boolean identified = rows.stream().anyMatch(row -> row.part().identity().id() >= 0);
        Fields<Row> fields = PartColumns.of(new Fields<Row>(), Row::part, identified)
                .add(
                        ColumnSpec.count("calls", "Calls in the recording."),
                        row -> row.part().calls())
                .add(
                        ColumnSpec.count(
                                "runs stated", "Executions as the benchmark states them; missing when it does not."),
                        row -> row.part().runs() < 0 ? null : row.part().runs())
                .add(
                        ColumnSpec.count(
                                "executions",
                                "Executions that are counted on: as stated, unless window and time contradict."),
                        row -> Math.round(row.part().executed()));
        addWindow(fields);
        return fields.add(joules("call J", "Energy of one execution."), Row::perCall)
                .add(
                        joules("pass J", "Energy of its calls in one pass of the model or one step."),
                        row -> row.perCall() * perPass.applyAsDouble(row.part()))
                .add(
                        joules("pass J error", "Bound of the error from sampling at the window's ends."),
                        row -> row.errorPerCall() * perPass.applyAsDouble(row.part()))
                .table("replay_energy", "Energy of parts", rows);
    }

    private static void addWindow(Fields<Row> fields) {
        fields.add(
                        ColumnSpec.real("window s", Unit.SECONDS, Unit.SECONDS, "Length of the window."),
                        row -> row.window().seconds())
                .add(
                        ColumnSpec.count("samples", "Samples in the window; updates of a counter."),
                        row -> row.window().samples())
                .add(
                        ColumnSpec.text("method", "counter, trapezoid, or interpolated where no sample lies inside."),
                        row -> row.window().method().name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.percent(
                                ColumnNames.BUSY_PERCENT,
                                "Share of the window in which it ran: time alone times runs stated. The energy of what is"
                                        + " between executions is in the window, too."),
                        row -> PERCENT * row.part().busy())
                .add(
                        joules("window J", "Energy of the window, less idle power where that is taken away."),
                        row -> row.window().joules())
                .add(
                        ColumnSpec.real("mean W", Unit.WATTS, Unit.WATTS, "Energy of the window over its length."),
                        row -> row.window().watts());
    }

    private static ColumnSpec ms(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MILLISECONDS, doc);
    }

    private static ColumnSpec us(String header, String doc) {
        return ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc);
    }

    private static ColumnSpec count(String header, String doc) {
        return ColumnSpec.real(header, Unit.COUNT, Unit.COUNT, doc);
    }

    private static ColumnSpec joules(String header, String doc) {
        return ColumnSpec.real(header, Unit.JOULES, Unit.JOULES, doc);
    }
}
