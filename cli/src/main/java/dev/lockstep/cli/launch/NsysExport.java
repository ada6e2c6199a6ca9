// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.FileNames;
import dev.lockstep.error.UserException;
import dev.lockstep.session.TraceFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Exports recordings of Nsight Systems with its own program, since nothing else reads them. An export lies beside its
 * recording, where it is found again.
 *
 * @param program what is started, as a shell would find it
 */
public record NsysExport(String program) {
    private static final List<String> ENDINGS = List.of(".nsys-rep", ".qdrep");
    private static final String EXPORT = ".sqlite";
    private static final int MOST_SAID = 300;

    /**
     * The arguments of a command line, with the exports of the recordings that they name; of those in a folder, the folder.
     *
     * @param err is told of each export that is made
     * @throws UserException when one cannot be made
     */
    public String[] of(String[] arguments, PrintWriter err) throws IOException {
        String[] exported = arguments.clone();
        for (int i = 0; i < exported.length && !exported[i].equals("--"); i++) {
            Path path =
                    exported[i].startsWith("-") || exported[i].indexOf('\0') >= 0 ? null : FileNames.path(exported[i]);
            if (path != null && isRecording(path) && Files.isRegularFile(path)) {
                exported[i] = export(path, err).toString();
            } else if (path != null && Files.isDirectory(path)) {
                for (Path recording : TraceFiles.below(path, NsysExport::isRecording)) {
                    export(recording, err);
                }
            }
        }
        return exported;
    }

    private static boolean isRecording(Path file) {
        String name = String.valueOf(file.getFileName());
        return ENDINGS.stream().anyMatch(name::endsWith);
    }

    /** The export of a recording; made anew unless there is one that is not older. */
    private Path export(Path recording, PrintWriter err) throws IOException {
        String name = recording.getFileName().toString();
        Path export = recording.resolveSibling(name.substring(0, name.lastIndexOf('.')) + EXPORT);
        if (Files.exists(export)
                && Files.getLastModifiedTime(export).compareTo(Files.getLastModifiedTime(recording)) >= 0) {
            return export;
        }
        Path made = recording.resolveSibling("." + name + EXPORT);
        try {
            run(recording, made);
            Files.move(made, export, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(made);
        }
        err.println("exported " + recording + " to " + export);
        return export;
    }

    private void run(Path recording, Path made) throws IOException {
        if (!Programs.isThere(program)) {
            throw new UserException(
                    ErrorCode.TOOL_FAILED,
                    recording + ": there is no program " + program + ", which exports recordings of Nsight Systems",
                    "Where it is installed: nsys export --type=sqlite " + recording);
        }
        List<String> command = new ArrayList<>(List.of(program, "export", "--type=sqlite", "--force-overwrite=true"));
        command.add("--output=" + made);
        command.add(recording.toString());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        try {
            if (process.waitFor() == 0 && Files.exists(made)) {
                return;
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        throw new UserException(
                ErrorCode.TOOL_FAILED,
                recording + ": nsys export failed: " + said.substring(0, Math.min(MOST_SAID, said.length())),
                "A newer version of Nsight Systems exports what older ones recorded.");
    }
}
