// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu;

import dev.lockstep.aiu.pipeline.AiuFormat;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.write.BlockMakers;
import dev.lockstep.write.Output;
import java.io.IOException;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Processes traces of IBM's AIU: reads what FLEX or the torch profiler wrote, one file or several for each rank, maps
 * cycle counters to the host's clock, and writes one trace of all ranks with the tables beside it.
 *
 * <pre>{@code
 * AiuOptions options = new AiuOptions.Builder()
 *         .with(AiuOption.INPUT, "run/rank*.json")
 *         .with(AiuOption.OUTPUT, "run/all.json")
 *         .with(AiuOption.SOC_MHZ, 560.0)
 *         .build();
 * AiuResult result = new Aiu(options).run();
 * }</pre>
 *
 * <p>An object is used once, by one thread. All files appear together when the run has succeeded, or none.
 */
public final class Aiu {
    private final AiuOptions options;
    private AiuLog log = new AiuLog(AiuLog.Level.ERROR, (level, line) -> {});
    private BlockMakers makers = BlockMakers.ALONE;
    private AiuPlaces places = new AiuPlaces(Map.of(), null);

    public Aiu(AiuOptions options) {
        this.options = options;
    }

    /**
     * Hands on what the run says while it goes on.
     *
     * @param shown the last level that is handed on
     * @param lines takes each line
     */
    public Aiu saying(AiuLog.Level shown, BiConsumer<AiuLog.Level, String> lines) {
        log = new AiuLog(shown, lines);
        return this;
    }

    /** Has others spell blocks of the result; no byte depends on how many they are. */
    public Aiu with(BlockMakers blockMakers) {
        makers = blockMakers;
        return this;
    }

    /** Reads and writes elsewhere than the options name. */
    public Aiu at(AiuPlaces others) {
        places = others;
        return this;
    }

    /**
     * Runs the pipeline.
     *
     * @throws UserException where the options contradict each other, no input is found, or a place refuses the result
     * @throws dev.lockstep.error.TraceFormatException where an input is no trace, or is cut
     * @throws IOException where reading or writing fails
     */
    public AiuResult run() throws IOException {
        demandOnePower();
        if (options.counts("rcu_util") && options.orNull(AiuOption.COMPILER_INFO) == null) {
            log.warn("rcu_util counter requested but no compiler log/inductor spyre directory path provided."
                    + " No utilization will be plotted.");
        }
        log.info("Starting Test parser");
        if (options.get(AiuOption.FORMAT) == AiuFormat.PROTOBUF && !options.writesTensorBoard()) {
            return unknownFormat();
        }
        try (Output output = new Output()) {
            AiuResult result = new AiuRun(options, log, output, makers, places).run();
            output.commit();
            return result;
        }
    }

    private void demandOnePower() {
        if (options.counts("power_ts3") && options.counts("power_ts4")) {
            String problem = "power_ts3 and power_ts4 are mutually exclusive";
            log.error(problem);
            throw new UserException(ErrorCode.OPTION_INVALID, problem, null);
        }
    }

    private AiuResult unknownFormat() {
        log.error("Unrecognized export format. Available options: json or pddf (and unsupported: proto)");
        if (options.rules().result().has(Addition.STATUS)) {
            throw new UserException(
                            ErrorCode.OPTION_INVALID,
                            "protobuf is not supported",
                            "json, pddf; a name that ends in .pftrace gives Perfetto's format")
                    .about("format of the result");
        }
        return AiuResult.NOTHING;
    }
}
