// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.util.Map;
import java.util.TreeMap;

/** How many events of each kind a file holds, as its own format counts them. */
public final class EventCounts {
    private long events;
    private long complete;
    private long device;
    private long added;
    private final Map<String, Long> byPhase = new TreeMap<>();
    private final Map<String, Long> byCategory = new TreeMap<>();
    private final Map<String, Long> bytesByCategory = new TreeMap<>();

    /** No events so far. */
    public EventCounts() {}

    /**
     * Adds events, and how many of them are complete, and of these on a device.
     *
     * @param all events of any kind
     * @param completeOnes those of them that have a start and a usable duration
     * @param onDevice those of these on a device
     */
    public void add(long all, long completeOnes, long onDevice) {
        events += all;
        complete += completeOnes;
        device += onDevice;
    }

    /**
     * Adds events of a phase.
     *
     * @param phase its letter
     * @param count how many
     */
    public void addPhase(String phase, long count) {
        byPhase.merge(phase, count, Long::sum);
    }

    /**
     * Adds events of a category, and the bytes that they take in the file.
     *
     * @param category as written in the file
     * @param count how many events
     * @param bytes bytes of unpacked text that they take
     */
    public void addCategory(String category, long count, long bytes) {
        byCategory.merge(category, count, Long::sum);
        bytesByCategory.merge(category, bytes, Long::sum);
    }

    /**
     * Adds what another file, or another part, holds.
     *
     * @param other stays as it is
     */
    public void addAll(EventCounts other) {
        add(other.events, other.complete, other.device);
        added += other.added;
        other.byPhase.forEach(this::addPhase);
        other.byCategory.forEach(
                (category, count) -> addCategory(category, count, other.bytesByCategory.getOrDefault(category, 0L)));
    }

    /** What these counts hold beyond those; never below 0. */
    EventCounts beyond(EventCounts others) {
        EventCounts rest = new EventCounts();
        rest.add(
                Math.max(0, events - others.events),
                Math.max(0, complete - others.complete),
                Math.max(0, device - others.device));
        byPhase.forEach((phase, count) -> {
            long more = count - others.byPhase.getOrDefault(phase, 0L);
            if (more > 0) {
                rest.addPhase(phase, more);
            }
        });
        byCategory.forEach((category, count) -> {
            long more = count - others.byCategory.getOrDefault(category, 0L);
            long bytes = bytesByCategory.getOrDefault(category, 0L) - others.bytesByCategory.getOrDefault(category, 0L);
            if (more > 0 || bytes > 0) {
                rest.addCategory(category, Math.max(0, more), Math.max(0, bytes));
            }
        });
        return rest;
    }

    /** Bytes that this many events of a category take, if all of them take as many. */
    long bytesOf(String category, long count) {
        long all = byCategory.getOrDefault(category, 0L);
        return all == 0 ? 0 : bytesByCategory.getOrDefault(category, 0L) * count / all;
    }

    /**
     * Notes how many numbers of events were given to slices that no file holds.
     *
     * @param numbers how many
     */
    public void addNumbers(long numbers) {
        added += numbers;
    }

    /** {@return the first number that no event has} */
    public long nextNumber() {
        return events + added;
    }

    /** {@return entries that are events at all} */
    public long events() {
        return events;
    }

    /** {@return events with a start and a usable duration of at least 0} */
    public long complete() {
        return complete;
    }

    /** {@return complete events on a device: kernels, copies, fills} */
    public long device() {
        return device;
    }

    /** {@return events by phase letter} */
    public Map<String, Long> byPhase() {
        return Map.copyOf(byPhase);
    }

    /** {@return events by category as written} */
    public Map<String, Long> byCategory() {
        return Map.copyOf(byCategory);
    }

    /** {@return bytes of unpacked text that the events of a category take} */
    public Map<String, Long> bytesByCategory() {
        return Map.copyOf(bytesByCategory);
    }
}
