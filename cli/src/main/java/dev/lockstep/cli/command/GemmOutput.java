// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.runs.Sweep;
import dev.lockstep.session.Session;
import dev.lockstep.sweep.gemm.GemmFile;
import dev.lockstep.sweep.gemm.GemmSteps;
import dev.lockstep.table.Table;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Puts down the files of the {@code gemm} commands, and says what is missing. */
final class GemmOutput {
    private GemmOutput() {}

    static void demandThere(Path input) {
        if (!Files.isRegularFile(input)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND, input + ": there is no such file", "lockstep gemm variance writes it.");
        }
    }

    /** The steps over a sweep, all of whose traces may be read. */
    static GemmSteps steps(Session session, Sweep sweep, TraceChoice choice, GlobalOptions global, Progress progress)
            throws IOException {
        return new GemmSteps(session, sweep, choice.reading(sweep.configurations(), global, progress));
    }

    /** Writes the file and returns the exit status. */
    static int write(GemmFile file, Path target, Path input, GlobalOptions global, PrintWriter out, PrintWriter err)
            throws IOException {
        return write(file, target, List.of(), input, global, out, err);
    }

    /** As above, with a CSV file for each of these tables beside it. */
    static int write(
            GemmFile file,
            Path target,
            List<Table> tables,
            Path input,
            GlobalOptions global,
            PrintWriter out,
            PrintWriter err)
            throws IOException {
        Output.demandNoInput(target, List.of(input));
        try (Output output = new Output()) {
            NamedFiles.write(output.file(target), file.text());
            for (Table table : tables) {
                NamedFiles.write(output.file(beside(target, table)), GemmSteps.csv(table));
            }
            output.commit();
        }
        if (!global.quiet()) {
            file.remarks().forEach(out::println);
            out.println(file.rows() + (file.rows() == 1 ? " row" : " rows"));
            out.println("wrote " + target);
            tables.forEach(table -> out.println("wrote " + beside(target, table)));
        }
        if (!file.coverage().isComplete()) {
            CoverageText.print(file.coverage(), err);
        }
        return global.status(file.coverage().isComplete());
    }

    private static Path beside(Path target, Table table) {
        return target.resolveSibling(table.name() + ".csv");
    }

    /** A file beside another, whose name loses one ending and gets a further one. */
    static Path beside(Path input, String without, String ending) {
        String name = String.valueOf(input.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = (dot > 0 ? name.substring(0, dot) : name).replace(without, "");
        return input.resolveSibling(stem + ending + ".csv");
    }
}
