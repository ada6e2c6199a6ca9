// SPDX-License-Identifier: Apache-2.0
/** A program that uses Lockstep as a library. */
module example.lockstep {
    requires dev.lockstep.explain;
    requires dev.lockstep.goal;
}
