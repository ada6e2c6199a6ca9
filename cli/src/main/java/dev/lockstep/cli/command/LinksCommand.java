// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.links.Links;
import dev.lockstep.session.Session;
import dev.lockstep.write.CellStyle;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** {@code lockstep links LOGS}: which link is slow. */
public final class LinksCommand implements Command {
    private final ReportTargets targets = new ReportTargets();
    private final ScreenOption screen = new ScreenOption();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    private List<String> paths = List.of();

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep links nccl-inspector-4711/", "lockstep links logs/ --prometheus links.prom");
        global = arguments.global();
        arguments.arguments(
                "LOGS",
                "Logs of NCCL's Inspector, JSON lines, also packed: files, patterns, a folder.",
                given -> paths = given);
        screen.declare(arguments);
        targets.declare(arguments, "the folder's name with _links");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        List<Path> files = Links.files(paths);
        try (Session session = new Session(global.jobs());
                Progress progress = Progress.of(global)) {
            progress.step("reading " + files.size() + " logs");
            Links found = Links.of(files, String.join(" ", paths));
            progress.step("writing");
            Path fallback = Path.of(Inputs.stem(Path.of(paths.getFirst())) + "_links");
            List<Path> written = targets.write(session, found.report(), files, fallback, CellStyle.PLAIN);
            progress.close();
            if (!global.quiet()) {
                screen.print(found.report(), false, written, out);
            }
            found.problems().forEach(err::println);
            return global.status(found.problems().isEmpty());
        }
    }
}
