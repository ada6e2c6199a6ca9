// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.timeline.perfetto;

/** Numbers of tracks, unique in a file and small, since every event names one. */
final class TrackNumbers {
    private long last;

    long next() {
        return ++last;
    }
}
