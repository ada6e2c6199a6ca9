// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

/**
 * A call that a rank of a made job makes.
 *
 * @param group place of the group
 * @param kind {@code all_reduce}, {@code send} and the like
 * @param in elements that go in, on each rank
 * @param type as Flight Recorder names it
 * @param peer number within the group of the other end, -1 for a collective
 * @param async whether what comes next does not wait for it
 * @param line of the program it is called from
 */
record HangCall(int group, String kind, long in, String type, int peer, boolean async, int line) {
    boolean isMessage() {
        return peer >= 0;
    }

    HangCall of(String other) {
        return new HangCall(group, other, in, type, peer, async, line + 1000);
    }

    HangCall of(long elements) {
        return new HangCall(group, kind, elements, type, peer, async, line);
    }

    HangCall ofType(String other) {
        return new HangCall(group, kind, in, other, peer, async, line);
    }

    HangCall in(int other) {
        return new HangCall(other, kind, in, type, peer, async, line);
    }

    HangCall waitedFor() {
        return new HangCall(group, kind, in, type, peer, false, line);
    }

    /** Whether libraries can carry both out as one. */
    boolean agrees(HangCall other) {
        return kind.equals(other.kind) && in == other.in && type.equals(other.type);
    }
}
