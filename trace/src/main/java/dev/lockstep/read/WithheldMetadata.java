// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read;

import dev.lockstep.codec.EnvironmentJson;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.Trace;
import dev.lockstep.model.TraceInfo;
import java.util.HashMap;
import java.util.Map;

/** Keeps from everybody what recorders note of environment variables, until somebody asks for it. */
public final class WithheldMetadata {
    private WithheldMetadata() {}

    /** The trace, whose metadata hold no values of environment variables and no other secrets. */
    public static Trace of(Trace trace) {
        TraceInfo info = trace.info();
        Map<String, String> other = new HashMap<>();
        Map<String, String> asRecorded = new HashMap<>();
        long values = 0;
        for (Map.Entry<String, String> member : info.metadata().entrySet()) {
            EnvironmentJson without = EnvironmentJson.of(member.getKey(), member.getValue());
            if (without.values() > 0) {
                other.put(member.getKey(), without.json());
                asRecorded.put(member.getKey(), member.getValue());
                values += without.values();
            }
        }
        return values == 0 ? trace : trace.withInfo(info.withholding(other, asRecorded, values));
    }

    /**
     * How many values of environment variables, and other secrets, an event of metadata holds: in its arguments and beside them.
     *
     * @param name of the event
     */
    public static long values(String name, RecordedTexts.Cursor event) {
        return EnvironmentJson.ofMembers(name, event.bytes, event.arguments, event.argumentsEnd)
                        .values()
                + EnvironmentJson.ofMembers(name, event.bytes, event.fields, event.fieldsEnd)
                        .values();
    }
}
