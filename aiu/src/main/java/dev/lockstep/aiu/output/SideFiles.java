// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.output;

import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;

/** Names of the files beside the main one. */
public final class SideFiles {
    private SideFiles() {}

    /** {@code a.json} and {@code a.pftrace.gz} become {@code a_summary.csv}; a folder's dots do not count. */
    public static String name(String target, String purpose, String ending) {
        return stem(target) + "_" + purpose + "." + ending;
    }

    /** {@code a} of {@code a.json}, with its folder. */
    public static String stem(String target) {
        int slash = target.lastIndexOf('/') + 1;
        String folder = target.substring(0, slash);
        String file = target.substring(slash).replace(".pt.trace", "");
        file = TraceFormat.PERFETTO.mayBe(file) ? Packing.GZIP.removedFrom(file) : file;
        int dot = file.lastIndexOf('.');
        String stem = dot < 0 ? file : file.substring(0, dot);
        return folder + stem;
    }
}
