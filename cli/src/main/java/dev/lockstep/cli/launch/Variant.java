// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

/** The state of the old launchers whose environment and overrides are meant. */
public enum Variant {
    /** What the users' documents describe. */
    DOCUMENTED,
    /** The launchers' last state, without what serialises kernels. */
    LATEST
}
