// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An object that {@link JsonOut} spells: members in the order in which they come. Confined to one thread. */
public final class JsonObject {
    private final Map<String, @Nullable Object> members = new LinkedHashMap<>();

    /** Sets a member; null is a value. */
    public JsonObject with(String name, @Nullable Object value) {
        members.put(name, value);
        return this;
    }

    /** Sets a member that is left out where there is no value. */
    public JsonObject withKnown(String name, @Nullable Object value) {
        return value == null ? this : with(name, value);
    }

    /** Sets a number that is left out where it is below zero. */
    public JsonObject withKnown(String name, long value) {
        return value < 0 ? this : with(name, value);
    }

    Map<String, @Nullable Object> members() {
        return members;
    }

    /** As JSON on one line. */
    @Override
    public String toString() {
        return JsonOut.line(this);
    }
}
