// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.model;

/** How a simulation counts where LogGOPSim's clocks run backwards. */
public enum SimulationRules {
    /**
     * No processor is free before what it does is over: a receive whose message is there waits for a processor that is busy
     * for longer. An operation begins when all that it waits for has come, and whether a sender waits for its receiver is
     * told by what it sends.
     */
    OWN,
    /**
     * As LogGOPSim counts: a receive whose message is there takes it at once, and its processor is free behind it, whatever
     * that was busy with until when. An operation whose last wait is for a start may begin before others that it waits for
     * have ended. Whether a sender waits is told by its receive, where that finds the message.
     */
    LOGGOPSIM;

    /**
     * Whether times are LogGOPSim's.
     *
     * @return true for {@link #LOGGOPSIM}
     */
    public boolean isLogGopSim() {
        return this == LOGGOPSIM;
    }
}
