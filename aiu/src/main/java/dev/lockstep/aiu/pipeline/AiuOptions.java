// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user wants of a run. The command line fills it; then it is only read. */
@SuppressWarnings("checkstyle:VisibilityModifier")
public final class AiuOptions {
    public static final List<String> COUNTERS =
            List.of("power_ts4", "power_ts3", "coll_bw", "bandwidth", "prep_queue", "rcu_util");
    public static final String DEFAULT_COUNTERS = "power_ts4 coll_bw prep_queue rcu_util";

    /** What stages do as another tool does it. */
    public AiuRules rules = AiuRules.OWN;

    public String input = "";
    public @Nullable String output;
    public @Nullable String compilerInfo;

    /** Null when the user named none, which means {@link #DEFAULT_COUNTERS}. */
    public @Nullable List<String> counters;

    public int logLevel = 2;
    public String eventFilter = "";
    public EventLimit limit = EventLimit.NONE;
    public String phases = "";
    public String format = "json";
    public double socMhz = 1000;
    public double coreMhz = 1100;
    public boolean flow;
    public boolean intermediate;
    public boolean skipEvents;
    public boolean dropGlobals;
    public boolean skipSync;
    public boolean syncV2;
    public String overlap = "tid";
    public int maxTidStreams = 5;
    public @Nullable String profile;
    public boolean buildCollectives;
    public boolean splitEvents;
    public boolean stats = true;
    public boolean syncToDevice;
    public boolean verify;
    public String autopilotData = "ai_kernel.db";
    public boolean keepPrep;
    public boolean keepNames;
    public boolean refine = true;
    public boolean tensorBoard;
    public boolean writesFile = true;
    public boolean flexTsFix;
    public boolean summarizeSequences;
    public boolean powerStats;
    public String timeUnit = "ns";
    public boolean ignoreCritical;
    public String commandLine = "";

    /** The file that results go to; names of side files derive from it. */
    public String target() {
        if (output != null) {
            return output;
        }
        return refine ? "processed_trace.pt.trace.json" : "processed_trace.json";
    }

    /** Whether the result is for TensorBoard. */
    public boolean writesTensorBoard() {
        return tensorBoard && refine;
    }

    public boolean counts(String counter) {
        return counters == null ? List.of(DEFAULT_COUNTERS.split(" ")).contains(counter) : counters.contains(counter);
    }

    /** The profile in force. */
    public String profileName() {
        if (profile != null) {
            return profile;
        }
        if (verify) {
            return "verification.json";
        }
        return tensorBoard ? "torch_minimal.json" : "default.json";
    }
}
