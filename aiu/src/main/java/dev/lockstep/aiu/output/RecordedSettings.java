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
final class RecordedSettings {
    private static final RawJson NULL = new RawJson("null");

    private RecordedSettings() {}

    static Map<String, Object> of(AiuOptions o) {
        Map<String, Object> all = new LinkedHashMap<>();
        List<String> counters = o.derivation().counters();
        all.put("counter", counters == null ? AiuOptions.DEFAULT_COUNTERS : counters);
        all.put("compiler_info", orNull(o.selection().compilerInfo()));
        all.put("loglevel", (long) o.noted().logLevel());
        all.put("event_filter", o.selection().eventFilter());
        all.put("event_limit", limit(o.selection().limit()));
        all.put("filter", o.shape().phases());
        all.put("format", o.result().format().word());
        all.put("freq", List.of(o.clocks().socMhz(), o.clocks().coreMhz()));
        all.put("flow", o.derivation().flow());
        all.put("freq_scaling", 0.0);
        all.put("input", o.selection().input());
        all.put("intermediate", o.result().intermediate());
        all.put("skip_events", o.derivation().skipEvents());
        all.put("drop_globals", o.shape().dropGlobals());
        all.put("skip_mpsync", o.clocks().skipSync());
        all.put("overlap", o.shape().overlap().word());
        all.put("max_tid_streams", (long) o.shape().maxTidStreams());
        all.put("profile", o.profileName());
        all.put("output", o.target());
        all.put("build_coll_event", o.derivation().buildCollectives());
        all.put("mp_sync_v2", o.clocks().syncV2());
        all.put("split_events", o.shape().splitEvents());
        all.put("stats", o.derivation().stats());
        all.put("sync_to_dev", o.noted().syncToDevice());
        all.put("verification_mode", o.selection().verify());
        all.put("autopilot_data", o.noted().autopilotData());
        all.put("keep_prep", o.shape().keepPrep());
        all.put("keep_names", o.shape().keepNames());
        all.put("tb_refinement", o.shape().refine());
        all.put("tb", o.result().tensorBoard());
        all.put("save_to_file", o.result().writesFile());
        all.put("flex_ts_fix", o.clocks().flexTsFix());
        all.put("disable_input_warnings", true);
        all.put("comm_summarize_seq", o.derivation().summarizeSequences());
        all.put("power_stats", o.derivation().powerStats());
        all.put("time_unit", o.result().timeUnit());
        all.put("ignore_crit", o.noted().ignoreCritical());
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
