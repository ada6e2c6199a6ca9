// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

/** What a device activity is for. */
public enum KernelClass {
    COMPUTE,
    COMMUNICATION,
    MEMORY,
    /** Neither work nor traffic: waiting, bookkeeping. */
    OTHER
}
