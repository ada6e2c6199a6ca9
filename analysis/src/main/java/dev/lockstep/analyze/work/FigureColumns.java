// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import static dev.lockstep.table.ColumnSpec.micros;

import dev.lockstep.perfmodel.Roofline;
import dev.lockstep.perfmodel.Work;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Unit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Columns about work and how fast it was done, for sheets that put them in different places. */
final class FigureColumns<R> {
    private final Fields<R> fields;
    private final Function<R, WorkFigures> figures;

    FigureColumns(Fields<R> fields, Function<R, WorkFigures> figures) {
        this.fields = fields;
        this.figures = figures;
    }

    /** What one operator has to do. */
    void work(String suffix) {
        real("GFLOPS" + suffix, Unit.FLOPS, Unit.GIGAFLOPS, "Floating-point operations of one operator.", Work::flops);
        real(
                "Data Moved (MB)" + suffix,
                Unit.BYTES,
                Unit.MEBIBYTES,
                "Bytes that one operator has to read and write at least, in MiB.",
                Work::bytes);
        real(
                "FLOPS/Byte" + suffix,
                Unit.FLOPS_PER_BYTE,
                Unit.FLOPS_PER_BYTE,
                "Operations for each byte moved.",
                Work::intensity);
    }

    void computeSpec() {
        fields.add(
                ColumnSpec.text(
                        "Compute Spec",
                        "Kind and precision of the arithmetic, by which a device's peak is chosen; empty when unknown."),
                r -> ofWork(r, Work::computeSpec));
    }

    void rooflineBound(String suffix) {
        fields.add(
                ColumnSpec.text(
                        "Roofline Bound" + suffix,
                        "What limits the operator on the device at best: computation or memory; missing when not known."),
                r -> ofRoofline(r, roofline -> roofline.bound().name()));
    }

    void rooflineTime() {
        fields.add(
                ColumnSpec.real(
                        "Roofline Time (µs)_first",
                        Unit.NANOSECONDS,
                        Unit.MICROSECONDS,
                        "The least time in which the device could do one operator's work; missing when not known."),
                r -> ofRoofline(r, Roofline::timeNs));
    }

    void percentOfRoofline(SeriesStatistic... statistics) {
        for (SeriesStatistic s : statistics) {
            series(
                    "Pct Roofline" + s.suffix(),
                    Unit.PERCENT,
                    Unit.PERCENT,
                    "The least time over the time taken, " + s.words() + ".",
                    f -> s.of(f.percentOfRoofline()));
        }
    }

    void bytesPerSecond(SeriesStatistic... statistics) {
        for (SeriesStatistic s : statistics) {
            series(
                    "TB/s" + s.suffix(),
                    Unit.BYTES_PER_SECOND,
                    Unit.TERABYTES_PER_SECOND,
                    "Bytes moved per second of device time, " + s.words() + ".",
                    f -> s.of(f.bytesPerSecond()));
        }
    }

    void flopsPerSecond(SeriesStatistic... statistics) {
        for (SeriesStatistic s : statistics) {
            series(
                    "TFLOPS/s" + s.suffix(),
                    Unit.FLOPS_PER_SECOND,
                    Unit.TERAFLOPS_PER_SECOND,
                    "Floating-point operations per second of device time, " + s.words() + ".",
                    f -> s.of(f.flopsPerSecond()));
        }
    }

    void kernelTime(SeriesStatistic... statistics) {
        for (SeriesStatistic s : statistics) {
            series(
                    "Kernel Time (µs)" + s.suffix(),
                    Unit.NANOSECONDS,
                    Unit.MICROSECONDS,
                    "Time in which device activity of one operator ran, " + s.words() + ".",
                    f -> s.of(f.times()));
        }
    }

    /** @param exact whether the sum is exact, rather than what rates see */
    void kernelTimeSum(boolean exact) {
        String header = "Kernel Time (µs)_sum";
        String doc = "Time in which device activity ran, summed over the operators.";
        fields.add(
                exact ? micros(header, doc) : ColumnSpec.real(header, Unit.NANOSECONDS, Unit.MICROSECONDS, doc),
                r -> exact
                        ? (Object) figures.apply(r).kernelTime().sum()
                        : (Object) figures.apply(r).sumForRates());
    }

    private void real(String header, Unit unit, Unit shown, String doc, ToDoubleFunction<Work> value) {
        fields.add(ColumnSpec.real(header, unit, shown, doc + " Missing when not known."), r -> {
            Work work = figures.apply(r).work();
            return work == null ? null : value.applyAsDouble(work);
        });
    }

    private void series(String header, Unit unit, Unit shown, String doc, ToDoubleFunction<WorkFigures> value) {
        fields.add(
                ColumnSpec.real(header, unit, shown, doc + " Missing when not known."),
                r -> value.applyAsDouble(figures.apply(r)));
    }

    private <V> @Nullable V ofWork(R row, Function<Work, V> value) {
        Work work = figures.apply(row).work();
        return work == null ? null : value.apply(work);
    }

    private <V> @Nullable V ofRoofline(R row, Function<Roofline, V> value) {
        Roofline roofline = figures.apply(row).roofline();
        return roofline == null ? null : value.apply(roofline);
    }
}
