// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.RealDistribution;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Columns about what ran at the same time on other streams. */
final class OverlapShareColumns {
    private OverlapShareColumns() {}

    static <R> void names(Fields<R> fields, String header, Function<R, @Nullable Overlapping> overlapping) {
        fields.add(
                ColumnSpec.json(
                        header, "Kernels that ran on other streams at the same time; missing when there were none."),
                r -> {
                    Overlapping o = overlapping.apply(r);
                    return o == null || o.names() == null ? null : JsonCells.texts(o.names());
                });
    }

    static <R> void kernels(Fields<R> fields, String header, Function<R, @Nullable Overlapping> overlapping) {
        fields.add(
                ColumnSpec.json(header, "How long each of these kernels took; for operators with several, their mean."),
                r -> {
                    Overlapping o = overlapping.apply(r);
                    return o == null ? "[]" : JsonCells.kernels(o.kernels());
                });
        fields.add(
                ColumnSpec.json("trunc_overlapping_kernels_details", "The same in short: name, stream, mean duration."),
                r -> {
                    Overlapping o = overlapping.apply(r);
                    return o == null ? null : JsonCells.kernelsInShort(o.kernels());
                });
    }

    /** @param shown what becomes of the numbers */
    static <R> void share(
            Fields<R> fields, Function<R, @Nullable Overlapping> overlapping, UnaryOperator<RealDistribution> shown) {
        for (SeriesStatistic s : SeriesStatistic.values()) {
            fields.add(
                    ColumnSpec.percent(
                            "overlap_pct" + s.suffix(),
                            "How much of the operators' device time others covered, " + s.words()
                                    + "; missing when nothing did."),
                    r -> {
                        Overlapping o = overlapping.apply(r);
                        return o == null ? Double.NaN : s.of(shown.apply(o.share()));
                    });
        }
    }
}
