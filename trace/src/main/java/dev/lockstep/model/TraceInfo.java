// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.model;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a trace says about itself.
 *
 * @param source the file, as the user named it
 * @param format stable word for the format it was read from
 * @param rank where the trace stands in its run
 * @param worldSize number of ranks of the run, -1 when unknown
 * @param devices the accelerators the recording process could see
 * @param originNs time 0 of the trace's clock in ns since 1970, 0 when the clock itself counts from there or is unknown
 * @param metadata what else stands at the top of the file: key to JSON text
 * @param withheld the same of what {@code metadata} holds without values of environment variables or other secrets: as the
 *     file has it
 * @param withheldValues how many values that are
 */
public record TraceInfo(
        String source,
        String format,
        Rank rank,
        int worldSize,
        List<Device> devices,
        long originNs,
        Map<String, String> metadata,
        Map<String, String> withheld,
        long withheldValues)
        implements Serializable {
    /** The key among {@link #metadata} under which a trace that is a part of another says which: a JSON text. */
    public static final String PART = "lockstep part";

    /** Copies the list and the maps. */
    public TraceInfo {
        devices = List.copyOf(devices);
        metadata = Collections.unmodifiableMap(new TreeMap<>(metadata));
        withheld = Map.copyOf(withheld);
    }

    /**
     * Facts of which nothing is withheld.
     *
     * @param source the file, as the user named it
     * @param format stable word for the format it was read from
     * @param rank where the trace stands in its run
     * @param worldSize number of ranks of the run, -1 when unknown
     * @param devices the accelerators the recording process could see
     * @param originNs time 0 of the trace's clock in ns since 1970, 0 when the clock itself counts from there or is
     *     unknown
     * @param metadata what else stands at the top of the file: key to JSON text
     */
    public TraceInfo(
            String source,
            String format,
            Rank rank,
            int worldSize,
            List<Device> devices,
            long originNs,
            Map<String, String> metadata) {
        this(source, format, rank, worldSize, devices, originNs, metadata, Map.of(), 0);
    }

    /**
     * An accelerator: its number and the name its vendor gives it.
     *
     * @param id number by which slices name it
     * @param name as its vendor calls it
     */
    public record Device(long id, String name) implements Serializable {
        /** {@return the name that people read: its own, or "unnamed" where the recorder leaves it out} */
        public String shownName() {
            return name.isBlank() ? "unnamed" : name;
        }
    }

    /**
     * {@return the same facts under another rank}
     *
     * @param other the other rank
     */
    public TraceInfo withRank(Rank other) {
        return new TraceInfo(source, format, other, worldSize, devices, originNs, metadata, withheld, withheldValues);
    }

    /**
     * {@return the same facts with some of the metadata in another form, and as the file has them}
     *
     * @param other key to JSON text, in the form that is shown
     * @param asRecorded key to JSON text, of the same keys, as the file has them
     * @param values how many values are withheld
     */
    public TraceInfo withholding(Map<String, String> other, Map<String, String> asRecorded, long values) {
        Map<String, String> all = new TreeMap<>(metadata);
        all.putAll(other);
        return new TraceInfo(source, format, rank, worldSize, devices, originNs, all, asRecorded, values);
    }

    /** {@return the same facts with all that the file says, values of environment variables among it} */
    public TraceInfo withNothingWithheld() {
        return withholding(withheld, Map.of(), 0);
    }
}
