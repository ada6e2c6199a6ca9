// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.TableCandidate;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** The rules of acelyzer 1.2. */
public final class AcelyzerRules {
    private static final double WEIGHT = 0.5;

    private AcelyzerRules() {}

    /** All events of a file are of one rank, and metadata uses a limit up. */
    private static final AiuRules.Files FILES = new AiuRules.Files((ofEvent, ofFile) -> ofFile, true, false, true);

    /**
     * Epochs are told by the start of an event, which lies behind a wrap that its first counters lie before. The end of the
     * host's wait counts as one of the device.
     */
    private static final AiuRules.Clocks CLOCKS = new AiuRules.Clocks(
            (sinceStart, sinceEpoch, wrapUs) -> (long) Math.floor(sinceStart / wrapUs),
            (difference, expected, wrap) -> difference,
            (before, hostEnd, eventEnd) -> Math.max(hostEnd, eventEnd),
            new AcelyzerOffsets(),
            true);

    private static final AiuRules.Sync SYNC = new AiuRules.Sync(
            UnaryOperator.identity(), AiuRules.SyncReference.FIRST, AiuRules.SyncGroups.ALL, false, false);

    /** Microseconds are called milliseconds, and a charge that does not change went all the way round. */
    private static final AiuRules.Power POWER = new AiuRules.Power(false, false, 1, true);

    private static final AiuRules.Tables TABLES = new AiuRules.Tables(AcelyzerRules::likeness, true, true, true);

    /** Normalisation spells sizes in another way than those who look for them. */
    private static final AiuRules.Transfers TRANSFERS = new AiuRules.Transfers(false, false, (common, step) -> common);

    private static final AiuRules.Labels LABELS = new AiuRules.Labels("process_label", "name", true, true);

    private static final AiuRules.Result RESULT = new AiuRules.Result(AcelyzerRules::workers, Set.of());

    /** All of them. */
    public static final AiuRules RULES =
            new AiuRules(FILES, CLOCKS, SYNC, MergedSteps::new, POWER, TABLES, TRANSFERS, LABELS, RESULT);

    /** At most 1.5; 0 when the job has more kernels than the table has rows, or took less time than the table says. */
    private static double likeness(TableCandidate candidate) {
        if (candidate.kernels() > candidate.rows() || candidate.tableUs() > candidate.us() || candidate.rows() == 0) {
            return 0;
        }
        boolean within = Collections.indexOfSubList(candidate.rowNames(), candidate.first()) >= 0;
        double filled = candidate.us() > 0 ? WEIGHT * candidate.tableUs() / candidate.us() : 0;
        return (within ? WEIGHT : WEIGHT / 2) + WEIGHT * candidate.kernels() / candidate.rows() + filled;
    }

    /** One of several counts as the process of collective bandwidth, which may not be there. */
    private static List<Long> workers(List<Long> ranks) {
        int count = ranks.size() > 1 ? ranks.size() - 1 : ranks.size();
        return LongStream.range(0, count).boxed().toList();
    }
}
