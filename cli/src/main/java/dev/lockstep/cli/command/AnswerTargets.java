// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.sql.QueryAnswer;
import dev.lockstep.sql.QueryDatabase;
import dev.lockstep.sql.QuerySources;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The options that say where the rows of an answer go, and the writing of them. */
final class AnswerTargets {
    /** Stands for standard output, where an option names no file. */
    private static final String HERE = "";

    private @Nullable String csv;
    private @Nullable String json;
    private @Nullable Path parquet;

    void declare(Arguments arguments) {
        arguments.optionWithDefault(
                "--csv",
                "FILE",
                String.class,
                HERE,
                "Write the rows as CSV, to standard output without FILE.",
                given -> csv = given);
        arguments.optionWithDefault(
                "--json",
                "FILE",
                String.class,
                HERE,
                "Write the rows as an array of JSON objects, likewise.",
                given -> json = given);
        arguments.option(
                "--parquet", "FILE", Path.class, "Write the rows as a Parquet file.", given -> parquet = given);
        arguments.writes("--csv", "--json", "--parquet");
    }

    /** Whether an option names a form. */
    boolean areGiven() {
        return csv != null || json != null || parquet != null;
    }

    /** The option that names no file, so that its rows go to standard output; null where there is none. */
    @Nullable
    String withoutFile() {
        return HERE.equals(csv) ? "--csv" : HERE.equals(json) ? "--json" : null;
    }

    /** The files that will be written, made beside their places; none that is read. */
    List<Path> files(List<String> inputs) throws IOException {
        if (HERE.equals(csv) && HERE.equals(json)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--csv and --json cannot both go to standard output",
                    "Name a file: --csv=FILE.");
        }
        List<Path> files = new ArrayList<>();
        if (parquet != null) {
            files.add(parquet);
        }
        Stream.of(csv, json)
                .filter(Objects::nonNull)
                .filter(name -> !name.isEmpty())
                .forEach(name -> files.add(FileNames.path(name)));
        if (files.stream().anyMatch(Files::exists)) {
            List<Path> read = QuerySources.files(inputs);
            for (Path file : files) {
                Output.demandNoInput(file, read);
            }
        }
        return files;
    }

    /** The place where a Parquet file is made, null where none is wanted. */
    @Nullable
    Path columns(Output output) throws IOException {
        return parquet == null ? null : output.file(parquet);
    }

    /**
     * Writes the answer in each form that is asked for.
     *
     * @param columns the place of the Parquet file
     */
    void write(QueryDatabase database, String query, @Nullable Path columns, Output output, PrintWriter out)
            throws IOException {
        if (columns != null) {
            database.write(query, columns);
        }
        if (csv != null) {
            try (QueryAnswer rows = database.query(query)) {
                write(new CsvRows(), rows, csv, output, out);
            }
        }
        if (json != null) {
            try (QueryAnswer rows = database.query(query)) {
                write(new JsonRows(), rows, json, output, out);
            }
        }
    }

    private static void write(RowsWriter form, QueryAnswer rows, String target, Output output, PrintWriter out)
            throws IOException {
        if (target.isEmpty()) {
            form.write(rows, out);
            return;
        }
        try (Writer file = NamedFiles.writer(output.file(FileNames.path(target)))) {
            form.write(rows, file);
        }
    }

    /** Whether standard output holds rows. */
    boolean arePrinted() {
        return HERE.equals(csv) || HERE.equals(json);
    }
}
