// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.launch;

/** How the ranks of a run are started. */
public enum Launcher {
    /** PyTorch's launcher starts them. */
    TORCHRUN,
    /** Lockstep starts them itself, one process each. */
    DIRECT,
    /** The user's command starts them. */
    COMMAND
}
