// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

/** Which host call is taken for the launch of a device activity. */
public enum LaunchRule {
    /** The call with the same correlation number; one call may launch many activities. */
    CORRELATION,
    /**
     * The call from which a flow arrow of category {@code ac2g} leads to the activity; one call launches one activity,
     * only graph launches several.
     */
    FLOW_ARROWS
}
