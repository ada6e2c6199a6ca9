// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.EventLimit;
import dev.lockstep.aiu.pipeline.RawJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a run as its trace records them. */
final class Settings {
    private static final RawJson NULL = new RawJson("null");

    private Settings() {}

    static Map<String, Object> of(AiuOptions o) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("counter", o.counters == null ? AiuOptions.DEFAULT_COUNTERS : o.counters);
        all.put("compiler_info", orNull(o.compilerInfo));
        all.put("loglevel", (long) o.logLevel);
        all.put("event_filter", o.eventFilter);
        all.put("event_limit", limit(o.limit));
        all.put("filter", o.phases);
        all.put("format", o.format);
        all.put("freq", List.of(o.socMhz, o.coreMhz));
        all.put("flow", o.flow);
        all.put("freq_scaling", 0.0);
        all.put("input", o.input);
        all.put("intermediate", o.intermediate);
        all.put("skip_events", o.skipEvents);
        all.put("drop_globals", o.dropGlobals);
        all.put("skip_mpsync", o.skipSync);
        all.put("overlap", o.overlap);
        all.put("max_tid_streams", (long) o.maxTidStreams);
        all.put("profile", o.profileName());
        all.put("output", o.target());
        all.put("build_coll_event", o.buildCollectives);
        all.put("mp_sync_v2", o.syncV2);
        all.put("split_events", o.splitEvents);
        all.put("stats", o.stats);
        all.put("sync_to_dev", o.syncToDevice);
        all.put("verification_mode", o.verify);
        all.put("autopilot_data", o.autopilotData);
        all.put("keep_prep", o.keepPrep);
        all.put("keep_names", o.keepNames);
        all.put("tb_refinement", o.refine);
        all.put("tb", o.tensorBoard);
        all.put("save_to_file", o.writesFile);
        all.put("flex_ts_fix", o.flexTsFix);
        all.put("disable_input_warnings", true);
        all.put("comm_summarize_seq", o.summarizeSequences);
        all.put("power_stats", o.powerStats);
        all.put("time_unit", o.timeUnit);
        all.put("ignore_crit", o.ignoreCritical);
        all.put("version", false);
        return all;
    }

    private static Map<String, Object> limit(EventLimit limit) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("skip", limit.skip());
        all.put("count", limit.count());
        all.put("ts_start", limit.tsStart());
        all.put("ts_end", limit.tsEnd());
        all.put("no_count_types", limit.free());
        return all;
    }

    private static Object orNull(@Nullable String text) {
        return text == null ? NULL : text;
    }
}
