// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import dev.lockstep.codec.PerfettoFormat;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the packets of one sequence have said so far: interned texts, defaults, clocks. Forgotten when it says so. */
final class Sequence {
    /** How many clocks a sequence may have to itself. */
    static final int CLOCKS = 64;

    /**
     * Texts by their number, as whatever the reader makes of them: 0 or more. Writers count from 1, so that most are found
     * at the place of their number.
     */
    static final class Texts {
        private final IntList counted = new IntList(16);
        private LongIntMap others = new LongIntMap(16);

        Texts() {
            clear();
        }

        void put(long number, int value) {
            if (number > 0 && number < counted.size()) {
                counted.set((int) number, value);
            } else if (number == counted.size()) {
                counted.add(value);
            } else {
                others.put(number, value);
            }
        }

        /** The value of a number, -1 when it was never said. */
        int get(long number) {
            return number > 0 && number < counted.size() ? counted.get((int) number) : others.get(number);
        }

        private void clear() {
            counted.clear();
            counted.add(-1);
            others = new LongIntMap(16);
        }
    }

    /** A clock that only this sequence has. */
    static final class Clock {
        final boolean incremental;
        final long unitNs;
        long last;
        final long base;
        final long offset;

        /** @param offset what makes its time that of the clock {@code base} */
        Clock(boolean incremental, long unitNs, long last, long base, long offset) {
            this.incremental = incremental;
            this.unitNs = unitNs;
            this.last = last;
            this.base = base;
            this.offset = offset;
        }
    }

    final Texts names = new Texts();
    final Texts categories = new Texts();
    final Texts arguments = new Texts();
    final Texts strings = new Texts();
    /** Of GPUs: kinds of stages and queues, kernels, names of launch arguments, processes of contexts. */
    final Texts specifications = new Texts();

    final Texts kernels = new Texts();
    final Texts launchArguments = new Texts();
    final Texts contexts = new Texts();
    /** By number of a descriptor: the names of its counters. */
    final Map<Long, Map<Long, String>> gpuCounters = new HashMap<>();

    /** By number of a clock, counted from {@link PerfettoFormat#CLOCK_OF_SEQUENCE}. */
    final @Nullable Clock[] clocks = new Clock[CLOCKS];

    long defaultTrack;
    long defaultClock = -1;
    /** Values of counters that are written as differences, by track. */
    final Map<Long, Double> counters = new HashMap<>();
    /** Who the events belong to; null until it is known. */
    @Nullable
    RankEvents events;

    /** Forgets what was interned, the defaults, and what counters stood at. */
    void clear() {
        counters.clear();
        names.clear();
        categories.clear();
        arguments.clear();
        strings.clear();
        specifications.clear();
        kernels.clear();
        launchArguments.clear();
        contexts.clear();
        gpuCounters.clear();
        defaultTrack = 0;
        defaultClock = -1;
    }
}
