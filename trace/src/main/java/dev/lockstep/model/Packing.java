// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Locale;

/** What a whole file may be packed with. Content tells; the ending of the name is what people see. */
public enum Packing {
    GZIP(".gz"),
    ZIP(".zip");

    /** Unpacked bytes that a packed byte stands for, at most: JSON of profilers packs 15 to 18 times. */
    public static final int EXPANSION = 18;

    private final String ending;

    Packing(String ending) {
        this.ending = ending;
    }

    /** The ending of names of packed files, with its dot. */
    public String ending() {
        return ending;
    }

    /** Whether the name says that the file is packed this way. */
    public boolean packs(String name) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /** Whether the name says that the file is packed. */
    public static boolean packsAny(String name) {
        return GZIP.packs(name) || ZIP.packs(name);
    }

    /** The name without this ending, if it has it. */
    public String removedFrom(String name) {
        return packs(name) ? name.substring(0, name.length() - ending.length()) : name;
    }
}
