// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of machines in names of files: {@code nid001234} anywhere, or {@code profile_JOB_NODE_RANK.sqlite}. */
public final class ExportNames {
    private static final Pattern NODE = Pattern.compile("nid(\\d+)");
    private static final Pattern PROFILE = Pattern.compile("profile_(\\d+)_(\\d+)_(\\d+)\\.sqlite$");

    private ExportNames() {}

    /** The machine's name as written, leading zeros and all; null if the file's name has none. */
    public static @Nullable String in(String fileName) {
        Matcher node = NODE.matcher(fileName);
        if (node.find()) {
            return node.group(1);
        }
        Matcher profile = PROFILE.matcher(fileName);
        return profile.find() ? profile.group(2) : null;
    }
}
