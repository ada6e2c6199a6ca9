// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

/** What to do with runs whose folders are there. */
public enum Again {
    /** Refuse to start. */
    REFUSE,
    /** Keep those that were finished, start the others anew. */
    RESUME,
    /** Leave every folder alone. */
    SKIP
}
