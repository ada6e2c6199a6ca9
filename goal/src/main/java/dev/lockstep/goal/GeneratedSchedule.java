// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.generate.AssumptionTable;
import dev.lockstep.goal.generate.CollectiveTable;
import dev.lockstep.goal.generate.GoalGenerator;
import dev.lockstep.goal.generate.GoalRules;
import dev.lockstep.goal.generate.IntermediateFile;
import dev.lockstep.goal.generate.RankTable;
import dev.lockstep.goal.generate.RecordedSpans;
import dev.lockstep.goal.generate.ScheduleWriter;
import dev.lockstep.goal.generate.TagLabel;
import dev.lockstep.goal.generate.TagTable;
import dev.lockstep.goal.model.RecordedSpan;
import dev.lockstep.goal.model.ScheduleNote;
import dev.lockstep.goal.recording.Plan.CollectivePlan;
import dev.lockstep.goal.recording.RecordedOperation;
import dev.lockstep.goal.recording.RecordedRun;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.BiFunction;

/** A schedule that was made of recordings, ready to be written. */
public final class GeneratedSchedule {
    private final GoalInput input;
    private final GoalOptions options;
    private final GoalRules rules;
    private final RecordedRun run;
    private final BiFunction<RecordedOperation, CollectivePlan, String> algorithms;
    private final GoalGenerator generator;

    GeneratedSchedule(
            GoalInput input,
            GoalOptions options,
            GoalRules rules,
            RecordedRun run,
            BiFunction<RecordedOperation, CollectivePlan, String> algorithms,
            GoalGenerator generator) {
        this.input = input;
        this.options = options;
        this.rules = rules;
        this.run = run;
        this.algorithms = algorithms;
        this.generator = generator;
    }

    /**
     * How many ranks it has.
     *
     * @return one for each GPU that was recorded
     */
    public int ranks() {
        return run.gpus().size();
    }

    /**
     * What was left out, and what was assumed.
     *
     * @return one of each kind, in the order in which they first came up
     */
    public List<ScheduleNote> notes() {
        return run.notes().all();
    }

    /**
     * The files among the recordings that are none.
     *
     * @return their names, as the recordings were given
     */
    public List<String> besides() {
        return run.notes().besides();
    }

    /**
     * Whether nothing that was recorded is left out.
     *
     * @return false when any of {@link #notes()} is a loss
     */
    public boolean isWhole() {
        return !run.notes().hasLoss();
    }

    /**
     * When ranks worked in the recording.
     *
     * @return one for each rank; all begin at 0 where their clocks cannot be compared, or where they are to begin together
     */
    public List<RecordedSpan> recorded() {
        return spans().spans();
    }

    private RecordedSpans spans() {
        return RecordedSpans.of(run, options.streams().with(TagLabel.NONE));
    }

    /**
     * Refuses a schedule that is not whole.
     *
     * @throws TraceFormatException with the first that was left out
     */
    public void demandWhole() throws TraceFormatException {
        for (ScheduleNote note : notes()) {
            if (note.loss()) {
                throw new TraceFormatException(ErrorCode.FORMAT_CORRUPT, input.name(), -1, note.first(), null);
            }
        }
    }

    /**
     * Writes the schedule and the tables beside it: {@code ranks.tsv}, {@code collectives.tsv}, {@code recorded.tsv},
     * {@code assumptions.tsv}, {@code transfers.tsv}.
     * The directory gets all files or none; no file that was read is overwritten.
     *
     * @param directory where files go; created if absent
     * @param files which ones
     * @throws IOException when writing fails
     */
    public void writeTo(Path directory, GoalFiles files) throws IOException {
        try (Output output = new Output().sparing(input.files()).sparing(options.files())) {
            Path staged = output.directory(directory);
            writeSchedule(staged, files);
            if (files.collectives()) {
                rules.collectives(run, options.streams().merged(), staged.resolve(IntermediateFile.NAME));
            }
            if (rules.tables() && (files.tags() || options.tags().label() != null)) {
                TagTable.write(run, generator, staged.resolve(TagTable.NAME));
            }
            RankTable.write(run, staged.resolve(RankTable.NAME));
            if (rules.tables()) {
                CollectiveTable.write(run, algorithms, staged.resolve(CollectiveTable.NAME));
                spans().write(staged.resolve(RecordedSpans.NAME));
                AssumptionTable.write(run.notes(), staged.resolve(AssumptionTable.NAME));
            }
            output.commit();
        }
    }

    private void writeSchedule(Path directory, GoalFiles files) throws IOException {
        boolean fixedDigits = rules.usualTags() != null || options.tags().format() != null;
        ScheduleWriter writer = new ScheduleWriter(directory, fixedDigits, rules.tables(), files.bufferBytes());
        ExecutorService workers = Goal.workers(options.reading().threads());
        try {
            switch (files.form()) {
                case TEXT -> writer.text(generator, true, false, workers);
                case TEXT_BY_RANK -> writer.text(generator, false, true, workers);
                case TEXT_BOTH -> writer.text(generator, true, true, workers);
                case BINARY -> writer.binary(generator, workers);
                case NONE -> {}
            }
        } finally {
            workers.shutdownNow();
        }
    }
}
