// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.aiu.Aiu;
import dev.lockstep.aiu.AiuPlaces;
import dev.lockstep.aiu.AiuResult;
import dev.lockstep.aiu.pipeline.AiuLog.Level;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.cli.AnotherStatus;
import dev.lockstep.cli.Arguments;
import dev.lockstep.cli.Command;
import dev.lockstep.cli.ExitStatus;
import dev.lockstep.cli.GlobalOptions;
import dev.lockstep.cli.ProgramVersion;
import dev.lockstep.error.UserException;
import dev.lockstep.session.Session;
import dev.lockstep.write.BlockMakers;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Map;

/** {@code lockstep aiu}: traces of IBM's AIU, with the command line of acelyzer. */
public final class AiuCommand implements Command {
    /** How acelyzer ends whatever went wrong, once it has understood its options. */
    private static final int FAILED = 1;

    private final AiuArguments arguments = new AiuArguments();

    @SuppressWarnings("NullAway.Init") // declared first
    private GlobalOptions global;

    @Override
    public void declare(Arguments declared) {
        declared.examples(
                "lockstep aiu -i \"rank*.json\" -o out.json", "lockstep aiu -i job.json -o out.pftrace --freq 560");
        global = declared.global();
        arguments.declare(declared);
    }

    @Override
    public Map<String, String> formerOptions() {
        return Map.of("--compiler_log", "--compiler_info", "--compiler-log", "--compiler_info");
    }

    @Override
    public int run(PrintWriter out, PrintWriter err) throws IOException {
        arguments.demandUsage();
        try {
            return arguments.wantsVersion() ? ProgramVersion.print(out) : process(out, err);
        } catch (UserException | IOException e) {
            if (arguments.imitates()) {
                throw new AnotherStatus(FAILED, e);
            }
            throw e;
        }
    }

    private int process(PrintWriter out, PrintWriter err) throws IOException {
        AiuOptions options = arguments.options(out);
        try (StandardInput standard = new StandardInput();
                Session session = new Session(global.jobs())) {
            AiuResult result = new Aiu(options)
                    .saying(
                            Level.values()[
                                    global.quiet()
                                            ? Math.min(options.get(AiuOption.LOG_LEVEL), Level.WARNING.ordinal())
                                            : options.get(AiuOption.LOG_LEVEL)],
                            new AiuConsole(global.quiet() ? err : out))
                    .at(new AiuPlaces(standard.among(options.get(AiuOption.INPUT)), arguments.copyTo()))
                    .with(new BlockMakers(session.pool(), session.jobs()))
                    .run();
            return options.rules().result().has(Addition.STATUS)
                    ? global.status(result.complete())
                    : ExitStatus.COMPLETE;
        }
    }
}
