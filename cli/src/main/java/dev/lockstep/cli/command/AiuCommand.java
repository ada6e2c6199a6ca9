// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.aiu.Aiu;
import dev.lockstep.aiu.AiuResult;
import dev.lockstep.aiu.pipeline.AiuLog.Level;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.ProgramVersion;
import dev.lockstep.session.Session;
import dev.lockstep.write.BlockMakers;
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
        AiuOptions options = arguments.options(out);
        if (arguments.wantsVersion()) {
            return ProgramVersion.print(out);
        }
        try (Session session = new Session(global.jobs())) {
            AiuResult result = new Aiu(options)
                    .saying(Level.values()[options.noted().logLevel()], new AiuConsole(out))
                    .with(new BlockMakers(session.pool(), session.jobs()))
                    .run();
            return options.rules().result().has(Addition.STATUS)
                    ? global.status(result.complete())
                    : ExitStatus.COMPLETE;
        }
    }
}
