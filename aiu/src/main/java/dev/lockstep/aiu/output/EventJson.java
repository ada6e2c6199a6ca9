// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Job;
import dev.lockstep.write.JsonBytes;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Spells events: as they leave the program, or as they are within the pipeline. */
final class EventJson {
    private static final String[] COUNTERS = {"TS1", "TS2", "TS3", "TS4", "TS5"};
    private static final JsonKey[] COUNTER_KEYS =
            Arrays.stream(COUNTERS).map(JsonKey::new).toArray(JsonKey[]::new);
    private static final JsonKey NAME = new JsonKey("name");
    private static final JsonKey CATEGORY = new JsonKey("cat");
    private static final JsonKey PHASE = new JsonKey("ph");
    private static final JsonKey TS = new JsonKey("ts");
    private static final JsonKey DUR = new JsonKey("dur");
    private static final JsonKey PID = new JsonKey("pid");
    private static final JsonKey TID = new JsonKey("tid");
    private static final JsonKey ARGS = new JsonKey("args");
    private static final JsonKey ATTR = new JsonKey("attr");
    private static final JsonKey POWER = new JsonKey("Power");
    private static final JsonKey EPOCH = new JsonKey("OVC");
    private static final JsonKey RANK = new JsonKey("rank");
    private static final JsonKey JOB = new JsonKey("jobhash");
    private static final JsonKey JOB_NAME = new JsonKey("jobname");
    private static final JsonKey DEVICE = new JsonKey("device");
    private static final JsonKey CLASS = new JsonKey("class");
    private static final Set<String> OWN = Set.of("id", "bp", "pid", "tid", "ts", "dur", "cat");
    private static final String[] IDENTIFIERS = {"id", "bp"};

    private final IndentedJson json;

    /** @param spellsNonFinite as of {@link IndentedJson} */
    EventJson(boolean spellsNonFinite) {
        json = new IndentedJson(new JsonBytes(0), spellsNonFinite);
    }

    /** As {@link IndentedJson#moveTo}. */
    void moveTo(JsonBytes out, int depth, boolean first) {
        json.moveTo(out, depth, first);
    }

    /** As {@link IndentedJson#textsForJson}. */
    long textsForJson() {
        return json.textsForJson();
    }

    /** As it leaves the program: members that the phase does not have are arguments. */
    void write(AiuEvent event) {
        json.element();
        json.open('{');
        json.key(NAME).text(name(event));
        boolean metadata = event.phase == 'M';
        if (!metadata) {
            category(event);
        }
        json.key(PHASE);
        json.letter(event.phase);
        json.key(TS).number(event.ts);
        if (event.phase == 'X') {
            json.key(DUR).number(event.length());
        }
        identifiers(event, event.phase != 'C' && !metadata || metadata && event.tid != 0);
        boolean flow = event.phase == 's' || event.phase == 'f' || event.phase == 't';
        if (event.other != null) {
            for (String key : IDENTIFIERS) {
                Object value = event.other.get(key);
                if (value != null && (flow || key.equals("id") && (event.phase == 'b' || event.phase == 'e'))) {
                    json.key(key).value(value);
                }
            }
            if (event.phase == 'i') {
                Object scope = event.other.get("s");
                json.key("s").value(scope == null ? "t" : scope);
            }
        }
        if (!flow) {
            json.key(ARGS).open('{');
            arguments(event);
            if (event.other != null) {
                foreign(event.other);
            }
            json.close('}');
        }
        json.close('}');
    }

    private static String name(AiuEvent event) {
        String name = event.name.text();
        return event.phase == 'C' || event.phase == 'B' || event.phase == 'E' ? name.strip() : name;
    }

    private void category(AiuEvent event) {
        if (event.category != null) {
            json.key(CATEGORY).text(event.category);
        } else if (event.phase == 'i') {
            json.key(CATEGORY).plain("null");
        } else {
            json.key(CATEGORY).text("");
        }
    }

    private void identifiers(AiuEvent event, boolean thread) {
        Object pid = event.other == null ? null : event.other.get("pid");
        if (pid != null) {
            json.key(PID).value(pid);
        } else {
            json.key(PID).number(event.pid);
        }
        if (!thread || !event.hasTid) {
            return;
        }
        Object tid = event.other == null ? null : event.other.get("tid");
        if (tid != null) {
            json.key(TID).value(tid);
        } else if (event.wideTid) {
            json.key(TID).plain(Long.toUnsignedString(event.tid));
        } else {
            json.key(TID).number(event.tid);
        }
    }

    private void foreign(Args other) {
        for (int i = 0; i < other.size(); i++) {
            if (!OWN.contains(other.key(i))) {
                json.key(other.key(i)).value(other.value(i));
            }
        }
    }

    /** As it is within the pipeline. */
    void writeRaw(AiuEvent event) {
        json.element();
        json.open('{');
        json.key(NAME).text(event.name.text());
        json.key(PHASE);
        json.letter(event.phase);
        if (event.hasPid) {
            identifiers(event, true);
        }
        if (!Double.isNaN(event.ts)) {
            json.key(TS).number(event.ts);
        }
        if (!Double.isNaN(event.dur)) {
            json.key(DUR).number(event.dur);
        }
        if (!Double.isNaN(event.key)) {
            json.key("TS_cycles").number(event.key);
        }
        if (event.category != null) {
            json.key(CATEGORY).text(event.category);
        }
        if (event.other != null) {
            for (int i = 0; i < event.other.size(); i++) {
                String key = event.other.key(i);
                if (!key.equals("pid") && !key.equals("tid")) {
                    json.key(key).value(event.other.value(i));
                }
            }
        }
        if (event.args != null || event.device != null || event.job != null || event.rank != AiuEvent.NO_RANK) {
            json.key(event.attr ? ATTR : ARGS).open('{');
            arguments(event);
            json.close('}');
        }
        json.close('}');
    }

    private void arguments(AiuEvent event) {
        Args args = event.args;
        if (args != null) {
            json.members(args);
        }
        DeviceTimes device = event.device;
        if (device != null) {
            counters(device);
        }
        if (event.rank != AiuEvent.NO_RANK) {
            json.key(RANK).number(event.rank);
        }
        job(event, event.job);
        if (device != null) {
            derived(device);
        }
        if (event.kind != null) {
            json.key(CLASS).text(event.kind);
        }
        if (event.namesDevice) {
            json.key(DEVICE).number(event.pid);
        }
    }

    private void job(AiuEvent event, @Nullable Job job) {
        if (job == null) {
            return;
        }
        if (!event.finished) {
            json.key(JOB).number(job.number());
        }
        if (event.namesJob) {
            json.key(JOB_NAME).text(event.finished ? job.title() : job.name());
        }
    }

    private void counters(DeviceTimes device) {
        String[] spelling = device.spelling;
        if (device.power >= 0) {
            json.key(POWER);
            if (spelling == null) {
                json.quotedNumber(device.power);
            } else {
                json.text(spelling[COUNTERS.length]);
            }
        }
        for (int i = 0; i < COUNTERS.length; i++) {
            json.key(COUNTER_KEYS[i]);
            if (spelling == null) {
                json.quotedNumber(device.cycles[i]);
            } else {
                json.text(spelling[i]);
            }
        }
        if (device.wrapped > 0) {
            json.key("TSxOF").text(COUNTERS[device.wrapped - 1]);
        }
    }

    private void derived(DeviceTimes device) {
        if (device.epoch != DeviceTimes.NO_EPOCH) {
            json.key(EPOCH).number(device.epoch);
        }
        if (device.isMapped()) {
            double[] clock = new double[DeviceTimes.COUNT];
            Arrays.setAll(clock, device::device);
            json.key("ts_dev").value(clock);
        }
        if (!Double.isNaN(device.adjustedTs)) {
            json.key("time_adjust").open('{');
            json.key(TS).number(device.adjustedTs);
            json.key(DUR).number(device.adjustedDur);
            json.close('}');
        }
        if (device.host != null) {
            json.key("ts_all").value(device.host);
        }
    }
}
