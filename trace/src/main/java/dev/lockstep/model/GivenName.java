// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import org.jspecify.annotations.Nullable;

/** One of the names of a process or thread, where metadata may give several. */
final class GivenName {
    private @Nullable String telling;
    private @Nullable String last;

    /** The longest name, of those the first by text: the same in whatever order they are given. Null before any. */
    @Nullable
    String telling() {
        return telling;
    }

    /** The name given last. Null before any. */
    @Nullable
    String last() {
        return last;
    }

    void give(String name) {
        telling = better(telling, name);
        last = name;
    }

    /** Takes over names that were given later. */
    void append(GivenName later) {
        if (later.telling != null) {
            telling = better(telling, later.telling);
        }
        last = later.last == null ? last : later.last;
    }

    private static String better(@Nullable String known, String name) {
        if (known == null || name.length() > known.length()) {
            return name;
        }
        return name.length() == known.length() && name.compareTo(known) < 0 ? name : known;
    }
}
