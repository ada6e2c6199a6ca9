// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.time;

import static dev.lockstep.table.ColumnSpec.micros;
import static dev.lockstep.table.ColumnSpec.millis;

import dev.lockstep.analyze.Analysis;
import dev.lockstep.analyze.AnalysisResult;
import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.TableNames;
import dev.lockstep.analyze.time.IdleAccount.Row;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What filled the time in which no device did anything, by the {@link IdleAccount}.
 *
 * @param rules definitions
 * @param annotation what marks steps, null to find what does
 */
public record IdleCauses(AnalysisRules rules, @Nullable String annotation) implements Analysis<IdleCauses.Result> {
    /** The account, whose rows the sheet shows. */
    public record Result(IdleAccount account) implements AnalysisResult {
        @Override
        public List<Evidence> places(String sheet) {
            return account.rows().stream()
                    .map(row -> Evidence.place(row.cause().words(), row.start(), row.end(), row.gaps()))
                    .toList();
        }

        @Override
        public List<Table> tables() {
            return account.rows().isEmpty() ? List.of() : List.of(sheet(account));
        }

        @Override
        public @Nullable String notApplicable() {
            return account.isEmpty()
                    ? "the trace has no device activity that takes time"
                    : account.rows().isEmpty() ? "the device was never idle" : null;
        }
    }

    @Override
    public String id() {
        return TableNames.IDLE_CAUSES;
    }

    @Override
    public Result run(DerivedCache cache) {
        return new Result(cache.get(new IdleAccount.Key(rules, annotation)));
    }

    private static Table sheet(IdleAccount account) {
        long all = account.time();
        return new Fields<Row>()
                .add(
                        ColumnSpec.text(
                                "cause",
                                "data_loader, allocation, launching, …: what the name of the slice, or of one around it,"
                                        + " is known for; operator, call, os_call, python, annotation, host: its kind;"
                                        + " launch_latency, queued: the work had been launched, after or before the"
                                        + " device ran dry; device_wait: its stream stood in a recorded wait; unrecorded:"
                                        + " nothing was recorded of the threads that launch; no_host: nothing was"
                                        + " recorded of the host."),
                        r -> r.cause().id())
                .add(
                        ColumnSpec.text(
                                "kind",
                                "Kind of the slice: annotation, python, cpu_op, runtime_call, driver_call, host_other,"
                                        + " device_sync; for launched work and no_host, of the activity that ends the"
                                        + " gap. Missing for unrecorded."),
                        r -> r.kind() == null ? null : r.kind().name().toLowerCase(Locale.ROOT))
                .add(
                        ColumnSpec.text(
                                "name",
                                "The innermost slice, on the thread that launched the work which ended the gap; for"
                                        + " launched work and no_host, the activity that ends the gap. Missing for"
                                        + " unrecorded."),
                        Row::name)
                .add(
                        ColumnSpec.text(
                                "frame or annotation",
                                "The Python frame or annotation that tells the cause, else the innermost around the"
                                        + " slice, which may be the slice itself. Missing where there is none."),
                        Row::frame)
                .add(
                        ColumnSpec.text(
                                "place",
                                "between: between device activities; before: before the first, behind: behind the last,"
                                        + " of the steps or of a recording without steps."),
                        r -> r.where().word())
                .add(
                        ColumnSpec.text(
                                "queue emptied by",
                                "The call in which the host waited when the device ran dry, and the operator around it;"
                                        + " missing where the host did not wait."),
                        Row::emptiedBy)
                .add(ColumnSpec.count("gaps", "Gaps of which it filled a part."), Row::gaps)
                .add(
                        millis(ColumnNames.TIME_MS, "The time that it filled. All rows add up to the idle time."),
                        Row::time)
                .add(
                        ColumnSpec.percent("percent", "Share of the time of all rows."),
                        r -> all == 0 ? 0.0 : 100.0 * r.time() / all)
                .add(micros(ColumnNames.LONGEST_US, "The most that it filled of one gap."), Row::longest)
                .add(micros("example position us", "Where that gap begins, as ts in the file."), Row::start)
                .table(TableNames.IDLE_CAUSES, "Idle time by cause", account.rows());
    }
}
