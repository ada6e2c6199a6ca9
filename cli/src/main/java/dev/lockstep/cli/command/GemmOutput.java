// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.pipeline.gemm.GemmFile;
import dev.lockstep.runs.Coverage;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Puts down the files of the {@code gemm} commands, and says what is missing. */
final class GemmOutput {
    private GemmOutput() {}

    /** The tool that the option names, which must be AORTA; whether there is one. */
    static boolean isAorta(@Nullable String compat) {
        if (compat != null && !compat.equals("aorta")) {
            throw new UserException(ErrorCode.OPTION_INVALID, "unknown tool for --compat: " + compat, "known: aorta");
        }
        return compat != null;
    }

    /** Writes the file and returns the exit status. */
    static int write(GemmFile file, Path target, Path input, GlobalOptions global, PrintWriter out, PrintWriter err)
            throws IOException {
        if (Files.exists(target) && Files.exists(input) && Files.isSameFile(target, input)) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, target + " is an input; an output never overwrites it", null);
        }
        try (Output output = new Output()) {
            Files.writeString(output.file(target), file.text(), StandardCharsets.UTF_8);
            output.commit();
        } catch (FileSystemException e) {
            throw new UserException(
                    ErrorCode.OUTPUT_FAILED,
                    "cannot write " + e.getFile() + ": " + Objects.requireNonNullElse(e.getReason(), "refused"),
                    "Nothing was written.",
                    e);
        }
        if (!global.quiet()) {
            file.remarks().forEach(out::println);
            out.println(file.rows() + (file.rows() == 1 ? " row" : " rows"));
            out.println("wrote " + target);
        }
        coverage(file.coverage(), err);
        return global.status(file.coverage().isComplete());
    }

    /** A file beside another, whose name loses one ending and gets a further one. */
    static Path beside(Path input, String without, String ending) {
        String name = String.valueOf(input.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = (dot > 0 ? name.substring(0, dot) : name).replace(without, "");
        return input.resolveSibling(stem + ending + ".csv");
    }

    private static void coverage(Coverage coverage, PrintWriter err) {
        if (coverage.isComplete()) {
            return;
        }
        err.println("Coverage: " + coverage.gaps().size() + " of "
                + coverage.parts().size() + " parts are not whole");
        for (Coverage.Part part : coverage.gaps()) {
            err.println("  " + part.configuration() + (part.rank() < 0 ? "" : " rank " + part.rank()) + ": "
                    + part.state() + (part.note().isEmpty() ? "" : ": " + part.note())
                    + (part.source().isEmpty() ? "" : " (" + part.source() + ")"));
        }
    }
}
