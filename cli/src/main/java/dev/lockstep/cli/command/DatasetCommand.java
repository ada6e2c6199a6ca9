// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.Lockstep;
import dev.lockstep.Run;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.dataset.DatasetFolder;
import dev.lockstep.dataset.DatasetTable;
import dev.lockstep.dataset.DatasetTable.Level;
import dev.lockstep.dataset.DatasetTables;
import dev.lockstep.dataset.RunRows.Kept;
import dev.lockstep.ranks.RankCount;
import dev.lockstep.read.ReadOptions.Keep;
import dev.lockstep.reporting.RunDataset;
import dev.lockstep.session.RankSet;
import dev.lockstep.sql.ParquetDataset;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep dataset RANKS -o DIR}: the ranks of a run as tables in Parquet. */
public final class DatasetCommand implements Command {
    private final RankArguments ranks = new RankArguments();
    private final DatasetArguments asked = new DatasetArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments arguments) {
        global = arguments.global();
        ranks.declare(arguments);
        asked.declare(arguments);
        arguments.examples(
                "lockstep dataset run/ -o data", "lockstep dataset 'tuesday/rank*.json.gz' -o data --run tuesday");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        String name = asked.run(ranks);
        try (Lockstep lockstep = Inputs.open(global);
                Progress progress = Progress.of(global);
                Output output = new Output(asked.folder().path())) {
            Run input = ranks.run(lockstep, progress);
            RankSet<Kept> read = write(input, name, output);
            progress.close();
            asked.run(ranks); // another program may have made it meanwhile
            output.commit();
            if (!global.quiet()) {
                summary(read, name, asked.level(input.files().size()), out);
            }
            RankArguments.report(read, err);
            return global.status(read.isComplete());
        }
    }

    /** Marks come first and the document about the run last, so that a run that can be seen is whole. */
    private RankSet<Kept> write(Run input, String name, Output output) throws IOException {
        DatasetFolder folder = asked.folder();
        Level level = asked.level(input.files().size());
        if (!folder.exists()) {
            DatasetFolder.writeMark(output.file(folder.path().resolve(DatasetFolder.MARK)));
        }
        Path staged = output.directory(folder.path());
        Path described = output.file(folder.runFile(name));
        try (ParquetDataset parquet = ParquetDataset.in(staged, name)) {
            RunDataset dataset = new RunDataset(
                    parquet, name, asked.content(level), input.files().size());
            RankSet<Kept> read =
                    input.readInOrder(asked.content(level).arguments() ? Keep.EVERYTHING : Keep.MEANING, dataset::take);
            dataset.finish(read, String.join(" ", ranks.inputs()), input.session());
            parquet.finish(DatasetTables.ALL);
            DatasetFolder.writeRun(described, name, level, dataset.origin(), read.members(), new DatasetFolder(staged));
            return read;
        }
    }

    private void summary(RankSet<Kept> read, String name, Level level, PrintWriter out) {
        List<String> tables = DatasetTables.ALL.stream()
                .filter(table -> level.holds(table.level()))
                .map(DatasetTable::name)
                .toList();
        out.println("Run " + name + ": " + read.present().size() + " of "
                + read.worldSize() + " ranks" + RankCount.besides(read) + ", "
                + (level == Level.FULL ? "with single slices" : "sums only") + ", in "
                + asked.folder().path() + ".");
        out.println("Tables: " + String.join(", ", tables) + ".");
    }
}
