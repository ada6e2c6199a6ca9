// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sweep.merge;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.util.ArrayList;
import java.util.List;

/** The formats of merged traces, by the endings of their files. */
public enum MergedFormat {
    PERFETTO("pftrace"),
    PACKED_PERFETTO("pftrace.gz"),
    JSON("json"),
    PACKED_JSON("json.gz");

    private final String word;

    MergedFormat(String word) {
        this.word = word;
    }

    /** The ending of files, with its dot. */
    public String ending() {
        return "." + word;
    }

    boolean isPacked() {
        return word.endsWith(".gz");
    }

    /**
     * The formats that a user names, separated by commas.
     *
     * @throws UserException for a name that is not known, or for none
     */
    public static List<MergedFormat> parse(String given) {
        List<MergedFormat> formats = new ArrayList<>();
        for (String name : given.split(",", -1)) {
            MergedFormat format = named(name.strip());
            if (!formats.contains(format)) {
                formats.add(format);
            }
        }
        return List.copyOf(formats);
    }

    private static MergedFormat named(String name) {
        for (MergedFormat format : values()) {
            if (format.word.equals(name) || format.ending().equals(name)) {
                return format;
            }
        }
        throw new UserException(
                ErrorCode.OPTION_INVALID,
                "--format does not know '" + name + "'",
                "known: pftrace, pftrace.gz, json, json.gz");
    }
}
