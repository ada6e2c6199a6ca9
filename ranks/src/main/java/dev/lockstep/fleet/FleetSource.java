// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.analyze.comm.FleetSteps;
import dev.lockstep.analyze.comm.RankGains;
import dev.lockstep.report.Trust;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Sums over the ranks of a run, wherever they are computed: what a report of very many ranks is made from. */
public interface FleetSource {
    /** What each rank took in each step. */
    FleetSteps steps() throws IOException;

    /** The ranks of the run, read or not, by number; files that belong to none last. */
    List<FleetRun.Member> members() throws IOException;

    /** Hosts by rank, as far as traces name them. */
    Map<Integer, String> hosts() throws IOException;

    /** How far the traces of the run can be believed, each and together. */
    Trust trust() throws IOException;

    /**
     * What the run gains without these ranks.
     *
     * @param slow numbers of slow ranks, the slowest first
     * @return {@link RankGains#NONE} where nothing says it
     */
    RankGains gains(List<Integer> slow) throws IOException;

    /** What these ranks take longer for than the median rank, the five most of each. */
    List<FleetRun.Kernel> kernels(List<Integer> ranks) throws IOException;

    /**
     * Process groups whose transfers take at least 1.3 times as long, and six scaled deviations longer, than those of at least
     * three other groups of the same size with the same messages.
     */
    List<FleetRun.Group> groups() throws IOException;

    /**
     * Ranks that came late to their first collective, the latest first.
     *
     * @param least by so much at least, in ns
     */
    List<FleetRun.Start> starts(double least) throws IOException;
}
