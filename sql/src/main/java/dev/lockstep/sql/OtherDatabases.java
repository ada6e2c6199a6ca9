// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.read.OtherFormats.Other;
import java.util.List;
import java.util.stream.Collectors;

/** Databases of other profilers, told by their tables: what they are, and what to do instead. */
final class OtherDatabases {
    private static final int MOST_NAMED = 5;
    private static final int MOST_SHOWN = 100;

    private OtherDatabases() {}

    /** Whether exports of Nsight Systems have a table of this name, and hardly anything else has. */
    private static boolean isOfNsys(String table) {
        return table.startsWith("CUPTI_") || table.startsWith("TARGET_INFO_") || table.startsWith("NVTX_");
    }

    /** What a database with these tables is; an export that is cut short, or has lost tables, is a recording, too. */
    static Other of(List<String> tables) {
        if (tables.stream().anyMatch(table -> table.startsWith("rocpd_"))) {
            return new Other(
                    "a database of rocmProfileData (rpd)",
                    "Convert it: python3 rpd2tracing.py FILE.rpd FILE.json. Or record with rocprofv3.",
                    true);
        }
        if (tables.contains("StringTable")) {
            return new Other(
                    "a database of nvprof",
                    "Record with Nsight Systems and export it: nsys export --type=sqlite FILE.nsys-rep.",
                    true);
        }
        String found = tables.isEmpty()
                ? "it has no tables"
                : "its tables are "
                        + tables.stream()
                                .limit(MOST_NAMED)
                                .map(name -> name.substring(0, Math.min(MOST_SHOWN, name.length())))
                                .map(name -> name.replaceAll("\\R", " "))
                                .collect(Collectors.joining(", "))
                        + (tables.size() > MOST_NAMED ? ", …" : "");
        return new Other(
                "an SQLite database, but no export of Nsight Systems, which has a table " + SqliteNsysExports.STRINGS
                        + "; " + found,
                "Exports are made with nsys export --type=sqlite FILE.nsys-rep.",
                tables.isEmpty() || tables.stream().anyMatch(OtherDatabases::isOfNsys));
    }
}
