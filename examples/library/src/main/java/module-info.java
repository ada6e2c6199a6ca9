// SPDX-License-Identifier: Apache-2.0
/** A program that uses Lockstep as a library. */
module example.lockstep {
    requires dev.lockstep.analysis;
    requires dev.lockstep.goal;
}
