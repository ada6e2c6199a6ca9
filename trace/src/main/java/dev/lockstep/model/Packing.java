// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Locale;
import java.util.stream.Stream;

/** What a whole file may be packed with. Content tells; the ending of the name is what people see. */
public enum Packing {
    /** One file, packed by gzip. */
    GZIP(".gz"),
    /** One file, packed by zstd. */
    ZSTD(".zst"),
    /** An archive, of which the first file counts. */
    ZIP(".zip");

    /** Unpacked bytes that a packed byte stands for, at most: JSON of profilers packs 15 to 18 times. */
    public static final int EXPANSION = 18;

    private final String ending;

    Packing(String ending) {
        this.ending = ending;
    }

    /** {@return the ending of names of packed files, with its dot} */
    public String ending() {
        return ending;
    }

    /**
     * {@return whether the name says that the file is packed this way}
     *
     * @param name name of a file
     */
    public boolean packs(String name) {
        return name.toLowerCase(Locale.ROOT).endsWith(ending);
    }

    /**
     * {@return whether the name says that the file is packed}
     *
     * @param name name of a file
     */
    public static boolean packsAny(String name) {
        return Stream.of(values()).anyMatch(packing -> packing.packs(name));
    }

    /**
     * {@return the name without this ending, if it has it}
     *
     * @param name name of a file
     */
    public String removedFrom(String name) {
        return packs(name) ? name.substring(0, name.length() - ending.length()) : name;
    }
}
