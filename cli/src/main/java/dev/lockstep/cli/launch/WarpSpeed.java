// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A setting of RCCL's warp-speed build.
 *
 * @param computeUnits that communication may use
 * @param threads of a block
 */
public record WarpSpeed(int computeUnits, int threads) implements Setting {
    static final int MOST_THREADS = 1024;

    /** The pairs that are run when none are named. */
    public static final String DEFAULT = "56,256 37,384 32,512";

    /** Pairs {@code CU,THREADS}, divided by blanks; every fault goes to {@code problems}. */
    public static List<WarpSpeed> parse(List<String> texts, Problems problems) {
        List<WarpSpeed> settings = new ArrayList<>();
        for (String pair : String.join(" ", texts).strip().split("\\s+")) {
            String[] parts = pair.split(",", -1);
            if (parts.length != 2) {
                problems.add("--pairs: '" + pair + "' is no pair of compute units and threads, such as 56,256");
                continue;
            }
            int units = problems.count("--pairs: compute units of '" + pair + "'", parts[0], Integer.MAX_VALUE);
            int threads = problems.count("--pairs: threads of '" + pair + "'", parts[1], MOST_THREADS);
            WarpSpeed setting = new WarpSpeed(units, threads);
            if (units > 0 && threads > 0 && settings.contains(setting)) {
                problems.add("--pairs: " + pair + " is there twice");
            }
            settings.add(setting);
        }
        return settings;
    }

    String name() {
        return computeUnits + "cu_" + threads + "threads";
    }

    @Override
    public Path directory() {
        return Path.of(name());
    }

    @Override
    public String title() {
        return name();
    }

    @Override
    public Map<String, String> environment() {
        Map<String, String> set = new LinkedHashMap<>();
        set.put("RCCL_WARP_SPEED_ENABLE", "1");
        set.put("RCCL_UNROLL_FACTOR", "1");
        set.put("RCCL_WARP_SPEED_CU_COUNT", Integer.toString(computeUnits));
        set.put("RCCL_THREADS_PER_BLOCK", Integer.toString(threads));
        return set;
    }
}
