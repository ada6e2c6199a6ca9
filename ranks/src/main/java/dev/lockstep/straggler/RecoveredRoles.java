// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.straggler;

import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.straggler.OperationTable.Observed;
import dev.lockstep.straggler.OperationTable.Roles;
import dev.lockstep.table.ColumnType;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Who is who in a job, found from what each rank did and when: its stage and data-parallel rank, and the chunk and micro-batch of
 * every operation. The arrays belong to the record and run parallel to the rows of the table.
 *
 * @param table the operations with their roles
 * @param microBatch of passes; 0 for garbage collection, which such tables count as part of the first; -1 elsewhere
 * @param evidence what the roles rest on, in sentences
 */
@SuppressWarnings("ArrayRecordComponent")
public record RecoveredRoles(OperationTable table, int[] microBatch, List<String> evidence) {
    /** What a table may say about roles by itself. */
    public static final List<String> COLUMNS = List.of("stage", "dp_rank", "mb_id", "mc", "gmc");

    /** Place of the micro-batch among them; what tables say of it outside of passes differs. */
    private static final int MICRO_BATCH = 2;

    static RecoveredRoles of(String source, Observed observed, double second) throws TraceFormatException {
        RankOperations ranks = RankOperations.of(source, observed);
        RankPlaces places = RankPlaces.of(ranks, second);
        ChunkSchedule schedule = ChunkSchedule.of(places, second);
        int rows = observed.rank().length;
        int[] stage = new int[rows];
        int[] dpRank = new int[rows];
        int[] chunk = new int[rows];
        int[] modelChunk = new int[rows];
        int[] microBatch = new int[rows];
        for (int row = 0; row < rows; row++) {
            int rank = ranks.index(row);
            OperationType type = observed.type()[row];
            int sequence = ranks.sequence[row];
            stage[row] = places.stage[rank];
            dpRank[row] = places.dpRank[rank];
            int count = ranks.count(rank, row, type);
            chunk[row] = schedule.chunk(type, sequence, count);
            modelChunk[row] = type.isPass() ? chunk[row] * places.stages + stage[row] : -1;
            microBatch[row] = type.isPass() ? schedule.microBatch(sequence) : type == OperationType.GC ? 0 : -1;
        }
        List<String> evidence = new ArrayList<>(places.evidence);
        evidence.addAll(schedule.evidence);
        Roles roles = new Roles(stage, dpRank, ranks.sequence, chunk, modelChunk);
        return new RecoveredRoles(OperationTable.of(source, observed, roles), microBatch, List.copyOf(evidence));
    }

    /** What they rest on, and whether the table that they were found without says the same. */
    public List<Finding> findings(Table said) {
        List<Finding> findings = new ArrayList<>();
        String basis = "rank, step, optype, start_ts and duration of the table";
        for (String sentence : evidence) {
            findings.add(new Finding(Severity.INFO, "recovered_roles", sentence, basis));
        }
        long same = agreeing(said);
        String compared = same < 0
                ? "The table states no roles, so the recovered ones cannot be compared."
                : String.format(
                        Locale.ROOT,
                        "Of %,d operations the table gives %,d the same stage, data-parallel rank, micro-batch and"
                                + " chunks.",
                        table.rows,
                        same);
        findings.add(new Finding(
                same >= 0 && same < table.rows ? Severity.NOTICE : Severity.INFO, "recovered_roles", compared, basis));
        return findings;
    }

    /** The roles of every operation, in the order of the table. */
    public List<Table> sheets() {
        return List.of(new Fields<Integer>()
                .add(id("step", "The step."), row -> table.step[row])
                .add(id("rank", "The rank."), row -> (long) table.rank[row])
                .add(text("optype", "Type of the operation."), row -> table.type[row].spelling())
                .add(id("seq_id", "Place among the operations of its type, step and rank, by start."), row ->
                        (long) table.sequence[row])
                .add(id("stage", "Stage of the pipeline."), row -> (long) table.stage[row])
                .add(id("dp_rank", "Data-parallel rank."), row -> (long) table.dpRank[row])
                .add(id("mb_id", "Micro-batch of a pass; 0 for garbage collection, -1 for all else."), row ->
                        (long) microBatch[row])
                .add(id("mc", "Chunk of the stage; -1 where it has none."), row -> (long) table.chunk[row])
                .add(id("gmc", "Chunk of the model that a pass computes; -1 elsewhere."), row ->
                        (long) table.modelChunk[row])
                .table(
                        "recovered_roles",
                        "Recovered roles",
                        IntStream.range(0, table.rows).boxed().toList()));
    }

    private long role(int row, int column) {
        return switch (column) {
            case 0 -> table.stage[row];
            case 1 -> table.dpRank[row];
            case MICRO_BATCH -> microBatch[row];
            case 3 -> table.chunk[row];
            default -> table.modelChunk[row];
        };
    }

    /** For how many rows the table itself says the same; -1 where it says nothing. */
    private long agreeing(Table said) {
        int[] at = COLUMNS.stream().mapToInt(said.schema()::indexOf).toArray();
        for (int column : at) {
            if (column < 0 || said.schema().get(column).type() != ColumnType.LONG) {
                return -1;
            }
        }
        long same = 0;
        for (int row = 0; row < said.rows(); row++) {
            boolean equal = true;
            for (int i = 0; i < at.length; i++) {
                equal &= i == MICRO_BATCH && !table.type[row].isPass()
                        || said.longs(at[i]).get(row) == role(row, i);
            }
            same += equal ? 1 : 0;
        }
        return same;
    }
}
