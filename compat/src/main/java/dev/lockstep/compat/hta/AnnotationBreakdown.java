// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.hta;

import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.IntList;
import dev.lockstep.table.Schema;
import dev.lockstep.table.Table;
import dev.lockstep.table.TableBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Durations of annotations by name, over the whole trace.
 *
 * @param kind those of the host or those of devices
 */
record AnnotationBreakdown(SliceKind kind) implements HtaSheet {
    private static final Schema SCHEMA = schema();

    private static Schema schema() {
        List<ColumnSpec> columns = new ArrayList<>();
        columns.add(ColumnSpec.text("name", "Name of the annotation."));
        columns.addAll(DurationStatistics.COLUMNS);
        columns.add(RANK);
        return new Schema(columns);
    }

    @Override
    public Table table(HtaEvents events) {
        Trace trace = events.trace();
        Slices slices = trace.slices();
        DurationStatistics statistics = new DurationStatistics();
        IntList annotations = new IntList(64);
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i) == kind) {
                annotations.add(i);
                statistics.add(slices.name(i), events.duration(i));
            }
        }
        for (int a = 0; a < annotations.size(); a++) {
            int slice = annotations.get(a);
            statistics.addSquare(slices.name(slice), events.duration(slice));
        }
        boolean host = kind == SliceKind.ANNOTATION;
        TableBuilder table = new TableBuilder(
                host ? "hta_user_annotation" : "hta_gpu_user_annotation",
                host ? "CPU annotations" : "Annotations on devices",
                SCHEMA);
        IntStream.range(0, statistics.size())
                .boxed()
                .sorted(Comparator.<Integer>comparingLong(g -> -statistics.sum(g))
                        .thenComparing(g -> trace.strings().get((int) statistics.key(g))))
                .forEach(group -> {
                    Object[] row = new Object[SCHEMA.size()];
                    row[0] = trace.strings().get((int) statistics.key(group));
                    statistics.put(group, row, 1);
                    row[row.length - 1] = events.rank();
                    table.row(row);
                });
        return table.build();
    }

    @Override
    public String whyEmpty(HtaEvents events) {
        return kind == SliceKind.ANNOTATION
                ? "the trace has no annotations of the host"
                : "the trace has no annotations of devices";
    }
}
