// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.aiu.AiuRun;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.ProgramVersion;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.session.Session;
import dev.lockstep.write.BlockMakers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.io.PrintWriter;

/** {@code lockstep aiu}: traces of IBM's AIU, with the command line of acelyzer. */
public final class AiuCommand implements Command {
    private final AiuArguments arguments = new AiuArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments declared) {
        global = declared.global();
        arguments.declare(declared);
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        AiuOptions options = arguments.options();
        if (arguments.wantsVersion()) {
            return ProgramVersion.print(out);
        }
        AiuLog log = new AiuLog(AiuLog.Level.values()[options.logLevel], new AiuConsole(out));
        arguments.check(out, log);
        log.info("Starting Test parser");
        if (options.format.equals("protobuf") && !options.writesTensorBoard()) {
            log.error("Unrecognized export format. Available options: json or pddf (and unsupported: proto)");
            if (options.rules.writesOnlyTheirs()) {
                return ExitStatus.COMPLETE;
            }
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "--format protobuf is not supported",
                    "json, pddf; a name that ends in .pftrace gives Perfetto's format");
        }
        try (Session session = new Session(global.jobs());
                Output output = new Output()) {
            BlockMakers makers = new BlockMakers(session.pool(), session.jobs());
            boolean complete = new AiuRun(options, log, output, makers).run();
            output.commit();
            return options.rules.writesOnlyTheirs() ? ExitStatus.COMPLETE : global.status(complete);
        }
    }
}
