// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.table.IntList;
import dev.lockstep.table.LongList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * What else would be true of one recording, in terms of its slices: the graph of dependencies is replayed with it. Where several
 * changes concern one slice, that which leaves the least time counts. Confined to one thread.
 */
public final class Changes {
    /** A whole, of which changes say the part that is left. */
    static final long WHOLE = 1_000_000;

    /** Activities that take another time, by slice, in ns. */
    final Map<Integer, Long> lengths = new HashMap<>();

    /** Activities that do not run at all. */
    final BitSet gone = new BitSet();

    /** Activities that were launched long before. */
    final BitSet ahead = new BitSet();

    /** Slices of the host that take another time, with repetitions. */
    final IntList hosts = new IntList(16);

    /** What is left of the time of each, in millionths. */
    final IntList parts = new IntList(16);

    /** Stretches of time of threads of the host that take less: a slice of the thread each, from when to when, and what is left. */
    final IntList sparedOn = new IntList(4);

    final LongList sparedFrom = new LongList(4);
    final LongList sparedTo = new LongList(4);
    final IntList sparedParts = new IntList(4);

    /** Slices of the host in which it waits for no device. */
    final BitSet unwaiting = new BitSet();

    /** Nothing is changed yet. */
    public Changes() {}

    /** Whether nothing is changed. */
    public boolean isEmpty() {
        return lengths.isEmpty()
                && gone.isEmpty()
                && ahead.isEmpty()
                && hosts.size() == 0
                && sparedOn.size() == 0
                && unwaiting.isEmpty();
    }

    /** How many slices are changed, of the host and of devices. */
    public int size() {
        BitSet host = (BitSet) unwaiting.clone();
        for (int i = 0; i < hosts.size(); i++) {
            host.set(hosts.get(i));
        }
        for (int i = 0; i < sparedOn.size(); i++) {
            host.set(sparedOn.get(i));
        }
        BitSet device = (BitSet) gone.clone();
        device.or(ahead);
        lengths.keySet().forEach(device::set);
        return host.cardinality() + device.cardinality();
    }

    /** An activity takes so many ns. */
    public void takes(int activity, long ns) {
        lengths.merge(activity, ns, Math::min);
    }

    /** An activity is not launched and does not run. */
    public void vanishes(int activity) {
        gone.set(activity);
    }

    /** An activity needs no launch of its own: it is at the device long before its turn. */
    public void isLaunchedAhead(int activity) {
        ahead.set(activity);
    }

    /**
     * The host spends only a part of its time in a slice.
     *
     * @param part what is left, from 0 to 1
     */
    public void host(int slice, double part) {
        hosts.add(slice);
        parts.add((int) Math.round(WHOLE * Math.clamp(part, 0, 1)));
    }

    /**
     * A thread of the host takes no time between two moments, whatever it does there.
     *
     * @param slice one of the thread
     */
    public void spares(int slice, long from, long to) {
        spares(slice, from, to, 0);
    }

    /**
     * A thread of the host takes a part of its time between two moments, whatever it does there.
     *
     * @param slice one of the thread
     * @param part what is left, from 0 to 1
     */
    public void spares(int slice, long from, long to, double part) {
        sparedParts.add((int) Math.round(WHOLE * Math.clamp(part, 0, 1)));
        sparedOn.add(slice);
        sparedFrom.add(from);
        sparedTo.add(to);
    }

    /** The host waits for no device in a slice; what it does there by itself takes as long as before. */
    public void doesNotWait(int slice) {
        unwaiting.set(slice);
    }

    /** The host does not do what it does in a slice: it takes no time and waits for nothing. */
    public void removes(int slice) {
        host(slice, 0);
        doesNotWait(slice);
    }

    /** All that others change, too. */
    public void addAll(Changes others) {
        others.lengths.forEach(this::takes);
        gone.or(others.gone);
        ahead.or(others.ahead);
        hosts.addAll(others.hosts);
        parts.addAll(others.parts);
        sparedOn.addAll(others.sparedOn);
        sparedFrom.addAll(others.sparedFrom);
        sparedTo.addAll(others.sparedTo);
        sparedParts.addAll(others.sparedParts);
        unwaiting.or(others.unwaiting);
    }
}
