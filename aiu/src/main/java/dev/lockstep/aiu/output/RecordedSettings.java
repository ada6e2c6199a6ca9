// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.EventLimit;
import dev.lockstep.aiu.pipeline.RawJson;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of a run as its trace records them. */
final class RecordedSettings {
    private static final RawJson NULL = new RawJson("null");

    private RecordedSettings() {}

    static Map<String, Object> of(AiuOptions o) {
        Map<String, Object> all = new LinkedHashMap<>();
        List<String> counters = o.orNull(AiuOption.COUNTERS);
        all.put("counter", counters == null ? String.join(" ", AiuOptions.USUAL_COUNTERS) : counters);
        all.put("compiler_info", orNull(o.orNull(AiuOption.COMPILER_INFO)));
        all.put("loglevel", (long) o.get(AiuOption.LOG_LEVEL));
        all.put("event_filter", o.get(AiuOption.EVENT_FILTER));
        all.put("event_limit", limit(o.get(AiuOption.LIMIT)));
        all.put("filter", o.get(AiuOption.PHASES));
        all.put("format", o.get(AiuOption.FORMAT).word());
        all.put("freq", List.of(o.get(AiuOption.SOC_MHZ), o.get(AiuOption.CORE_MHZ)));
        all.put("flow", o.get(AiuOption.FLOW));
        all.put("freq_scaling", 0.0);
        all.put("input", o.get(AiuOption.INPUT));
        all.put("intermediate", o.get(AiuOption.INTERMEDIATE));
        all.put("skip_events", o.get(AiuOption.SKIP_EVENTS));
        all.put("drop_globals", o.get(AiuOption.DROP_GLOBALS));
        all.put("skip_mpsync", o.get(AiuOption.SKIP_SYNC));
        all.put("overlap", o.get(AiuOption.OVERLAP).word());
        all.put("max_tid_streams", (long) o.get(AiuOption.MAX_TID_STREAMS));
        all.put("profile", o.profileName());
        all.put("output", o.target());
        all.put("build_coll_event", o.get(AiuOption.BUILD_COLLECTIVES));
        all.put("mp_sync_v2", o.get(AiuOption.SYNC_V2));
        all.put("split_events", o.get(AiuOption.SPLIT_EVENTS));
        all.put("stats", o.get(AiuOption.STATS));
        all.put("sync_to_dev", o.get(AiuOption.SYNC_TO_DEVICE));
        all.put("verification_mode", o.get(AiuOption.VERIFY));
        all.put("autopilot_data", o.get(AiuOption.AUTOPILOT_DATA));
        all.put("keep_prep", o.get(AiuOption.KEEP_PREP));
        all.put("keep_names", o.get(AiuOption.KEEP_NAMES));
        all.put("tb_refinement", o.get(AiuOption.REFINE));
        all.put("tb", o.get(AiuOption.TENSOR_BOARD));
        all.put("save_to_file", o.get(AiuOption.WRITES_FILE));
        all.put("flex_ts_fix", o.get(AiuOption.FLEX_TS_FIX));
        all.put("disable_input_warnings", true);
        all.put("comm_summarize_seq", o.get(AiuOption.SUMMARIZE_SEQUENCES));
        all.put("power_stats", o.get(AiuOption.POWER_STATS));
        all.put("time_unit", o.get(AiuOption.TIME_UNIT));
        all.put("ignore_crit", o.get(AiuOption.IGNORE_CRITICAL));
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
