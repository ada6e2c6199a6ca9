// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.launch.ShellText;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;

/** {@code lockstep view TRACE}: opens a trace in the user's browser: in the Perfetto UI, or as a page of its own. */
public final class ViewCommand implements Command {
    private final int port;

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @SuppressWarnings("NullAway.Init") // a required argument
    private Path file;

    private boolean open = true;
    private boolean own;
    private ViewedPart at = new ViewedPart(null);

    public ViewCommand() {
        this(TraceServer.PORT);
    }

    /** @param port on which to serve */
    ViewCommand(int port) {
        this.port = port;
    }

    @Override
    public void declare(Arguments arguments) {
        arguments.examples("lockstep view merged.json.gz", "lockstep view trace.json.gz --own");
        global = arguments.global();
        arguments.argument("TRACE", Path.class, "The trace, plain or packed.", given -> file = given);
        arguments.option(
                "--at",
                "FROM-TO",
                String.class,
                "Show this part: two times in ns, as in the trace. Pages of reports copy such a command.",
                given -> at = new ViewedPart(given));
        arguments.flag(
                "--own",
                "Show the page of lockstep report instead, with every slice of its timeline, however long the trace"
                        + " is.",
                () -> own = true);
        arguments.flag("--no-open", "Print the address and leave the browser alone.", () -> open = false);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        if (Files.isDirectory(file)) {
            throw new UserException(
                    ErrorCode.INPUT_NOT_FOUND,
                    file + ": this is a folder",
                    "Make one file of its ranks: lockstep merge " + ShellText.word(file.toString())
                            + " -o run.pftrace");
        }
        NamedFiles.demandFile(file.toString(), file, "Put what comes out of it into a file.");
        return own ? page(out, err) : perfetto(out, err);
    }

    private int perfetto(PrintWriter out, PrintWriter err) throws IOException {
        Inputs.demandShown(file);
        String shown = at.query();
        try (TraceServer server = new TraceServer(file, port)) {
            return show(
                    server.deepLink() + shown,
                    " to the Perfetto UI in browsers on this machine, and nothing else. The trace does not leave the"
                            + " machine: the page reads it from here. If the browser asks whether the page may reach"
                            + " this machine or the local network, allow it.",
                    out,
                    err);
        } catch (BindException e) {
            throw new UserException(
                    ErrorCode.TOOL_FAILED,
                    "port " + port + " is in use by another program",
                    "The Perfetto UI may load traces from this machine through port " + TraceServer.PORT
                            + " only. End the other program: another 'lockstep view', or Perfetto's trace_processor.",
                    e);
        }
    }

    private int page(PrintWriter out, PrintWriter err) throws IOException {
        String shown = at.fragment();
        try (PageServer server = new PageServer(PageServer.pageOf(file, global), 0)) {
            String whom = " to browsers on this machine that know this address, and nothing else.";
            return show(server.address() + shown, whom, out, err);
        }
    }

    /** Says where it is, opens it, and stays. */
    private int show(String address, String whom, PrintWriter out, PrintWriter err) {
        out.println(address);
        if (!global.quiet()) {
            out.println("Serves " + file + whom + " Ctrl-C ends it.");
        }
        out.flush();
        if (open) {
            try {
                Browsers.open(address);
            } catch (UserException e) {
                err.println("lockstep: " + e.getMessage() + ": open the address in a browser yourself");
            }
        }
        TraceServer.waitForTheEnd();
        return ExitStatus.COMPLETE;
    }
}
