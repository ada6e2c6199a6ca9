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
import java.util.ArrayList;
import java.util.List;

/** Puts down the files of the {@code gemm} commands, and says what is missing. */
final class GemmOutput {
    private GemmOutput() {}

    static void demandThere(Path input) throws IOException {
        if (!Files.exists(input)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND, input + ": there is no such file", "lockstep gemm variance writes it.");
        }
        NamedFiles.demandFile(input.toString(), input, "Results are named after it.");
    }

    /** The steps over a sweep, all of whose traces may be read. */
    static GemmSteps steps(Session session, Sweep sweep, TraceChoice choice, GlobalOptions global, Progress progress)
            throws IOException {
        return new GemmSteps(session, sweep, choice.reading(sweep.configurations(), global, progress));
    }

    /**
     * Writes the file, and a CSV file for each of these tables beside it; returns where they are.
     *
     * @param input what it was made from, which must not be overwritten
     */
    static List<Path> write(GemmFile file, Path target, List<Table> tables, Path input) throws IOException {
        Output.demandNoInput(target, List.of(input));
        List<Path> written = new ArrayList<>(List.of(target));
        try (Output output = new Output()) {
            NamedFiles.write(output.file(target), file.text());
            for (Table table : tables) {
                Path beside = beside(target, table);
                NamedFiles.write(output.file(beside), GemmSteps.csv(table));
                written.add(beside);
            }
            output.commit();
        }
        return written;
    }

    /** Says what was written and what is missing in it; returns the exit status. */
    static int status(GemmFile file, List<Path> written, GlobalOptions global, PrintWriter out, PrintWriter err) {
        if (!global.quiet()) {
            file.remarks().forEach(out::println);
            out.println(file.rows() + (file.rows() == 1 ? " row" : " rows"));
            written.forEach(path -> out.println("wrote " + path));
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
