// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.comm;

import dev.lockstep.analyze.comm.Arrivals.Waiting;
import dev.lockstep.analyze.comm.NodeMap.Span;
import dev.lockstep.derive.CollectiveCall;
import dev.lockstep.derive.CollectiveMatch.Group;

/**
 * A collective across its ranks. Times are ns on the common clock; ranks are numbers of the run.
 *
 * @param instance place in the match
 * @param group ranks that took part
 * @param groupIndex place of the group among all
 * @param number sequence number, or place in order
 * @param call what its first member recorded
 * @param present members that were found
 * @param expected members that the group has, -1 when unknown
 * @param waiting whether members wait for one another, and how much is known of it; without knowledge, all that is about
 *     waiting is 0
 * @param comparable whether the times of the members lie on one clock; else those that are about several members mean nothing
 * @param firstStart first start
 * @param lastStart last start
 * @param firstEnd first end
 * @param lastEnd last end
 * @param latency shortest kernel: what remains when waiting for others is taken away
 * @param first rank that came first, of several the lowest
 * @param last rank that came last, of several the lowest
 * @param waited sum over members of the time from their start to the last start
 * @param waitedForHost part of it before the last rank's host had launched its kernel, unless the host waited for its
 *     device
 * @param waitedForDevice part of it between that launch and the start of the kernel, and before that while the host stood in
 *     a call that waits for the device; the rest is of unknown cause
 * @param delay time from the last but one start to the last: what would be won if the last rank alone were in time
 * @param bytes size as nccl-tests counts it, -1 when unknown
 * @param algorithmBandwidth bytes per second, NaN when unknown
 * @param busBandwidth bytes per second, NaN when unknown
 * @param span whether the members share a node
 */
public record Collective(
        int instance,
        Group group,
        int groupIndex,
        long number,
        CollectiveCall call,
        int present,
        long expected,
        Waiting waiting,
        boolean comparable,
        long firstStart,
        long lastStart,
        long firstEnd,
        long lastEnd,
        long latency,
        int first,
        int last,
        long waited,
        long waitedForHost,
        long waitedForDevice,
        long delay,
        long bytes,
        double algorithmBandwidth,
        double busBandwidth,
        Span span) {

    /** Whether members wait for one another, and it is known how long. */
    public boolean waits() {
        return waiting == Waiting.KNOWN;
    }

    /** First to last start. */
    public long startSkew() {
        return lastStart - firstStart;
    }

    /** First to last end. */
    public long endSkew() {
        return lastEnd - firstEnd;
    }

    /** Whether all members were found, as far as known. */
    public boolean isWhole() {
        return expected < 0 || present >= expected;
    }

    /** A name that no other collective of the run has. */
    public String id() {
        String library = call.host() == null ? "" : call.host() + ":";
        String base = library + (group.name().isEmpty() ? call.kind().word() : group.name());
        return group.isPair() ? base + "_" + group.from() + ">" + group.to() + "_" + number : base + "_" + number;
    }
}
