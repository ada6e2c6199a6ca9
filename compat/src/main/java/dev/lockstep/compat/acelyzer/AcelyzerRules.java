// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.acelyzer;

import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.OpenCount;
import dev.lockstep.aiu.pipeline.TableCandidate;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** The rules of acelyzer 1.2. */
public final class AcelyzerRules implements AiuRules {
    private static final double WEIGHT = 0.5;

    /** All events of a file are of one rank. */
    @Override
    public long process(long ofEvent, int ofFile) {
        return ofFile;
    }

    @Override
    public boolean countsFreeEvents() {
        return true;
    }

    /** By the start of the event, which lies behind a wrap that its first counters lie before. */
    @Override
    public long epochs(double sinceStart, double sinceEpoch, double wrapUs) {
        return (long) Math.floor(sinceStart / wrapUs);
    }

    @Override
    public double cyclesBetween(long difference, double expected, long wrap) {
        return difference;
    }

    /** The end of the host's wait counts as one of the device. */
    @Override
    public double deviceEnd(double before, double hostEnd, double eventEnd) {
        return Math.max(hostEnd, eventEnd);
    }

    @Override
    public String algorithmOf(String transfer) {
        return transfer;
    }

    @Override
    public boolean comparesBestCollective() {
        return false;
    }

    @Override
    public boolean alignsByCommonCollectives() {
        return false;
    }

    @Override
    public boolean keepsOrder() {
        return false;
    }

    @Override
    public OpenCount openPreparations() {
        return new MergedSteps();
    }

    /** Normalisation spells them in another way than those who look for them. */
    @Override
    public boolean knowsSizes() {
        return false;
    }

    @Override
    public boolean tellsLaunchesApart() {
        return false;
    }

    @Override
    public boolean endsPower() {
        return false;
    }

    @Override
    public boolean separatesPower() {
        return false;
    }

    @Override
    public double powerMillisecond() {
        return 1;
    }

    /** At most 1.5; 0 when the job has more kernels than the table has rows, or took less time than the table says. */
    @Override
    public double likeness(TableCandidate candidate) {
        if (candidate.kernels() > candidate.rows() || candidate.tableUs() > candidate.us() || candidate.rows() == 0) {
            return 0;
        }
        boolean within = Collections.indexOfSubList(candidate.rowNames(), candidate.first()) >= 0;
        double filled = candidate.us() > 0 ? WEIGHT * candidate.tableUs() / candidate.us() : 0;
        return (within ? WEIGHT : WEIGHT / 2) + WEIGHT * candidate.kernels() / candidate.rows() + filled;
    }

    @Override
    public boolean looksIntoAllLogs() {
        return true;
    }

    @Override
    public boolean countsTotalTwice() {
        return true;
    }

    @Override
    public boolean mixesTransfers() {
        return true;
    }

    @Override
    public String transferName(String common, int step) {
        return common;
    }

    @Override
    public boolean reportsMismatches() {
        return true;
    }

    @Override
    public String labels() {
        return "process_label";
    }

    @Override
    public String label() {
        return "name";
    }

    @Override
    public boolean namesAbsentProcesses() {
        return true;
    }

    /** One of several counts as the process of collective bandwidth, which may not be there. */
    @Override
    public List<Long> workers(List<Long> ranks) {
        int count = ranks.size() > 1 ? ranks.size() - 1 : ranks.size();
        return LongStream.range(0, count).boxed().toList();
    }

    @Override
    public boolean writesOnlyTheirs() {
        return true;
    }
}
