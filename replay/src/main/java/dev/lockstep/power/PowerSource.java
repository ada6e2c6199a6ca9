// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import java.io.IOException;
import java.util.List;

/** Something whose power can be asked for now. Confined to one thread. */
public interface PowerSource extends AutoCloseable {
    /** What the source is, such as {@code nvml}. */
    String name();

    /**
     * What it measures: devices, packages.
     *
     * @param domain stable name, such as {@code gpu0}
     * @param label what a person calls it
     * @param counts whether it counts energy
     * @param bus address on the bus, such as {@code 00000000:3b:00.0}; empty when it is not known, or there is none
     */
    record Domain(String domain, String label, boolean counts, String bus) {
        /** Something whose address is not known. */
        public Domain(String domain, String label, boolean counts) {
            this(domain, label, counts, "");
        }
    }

    /** What can be measured, in the order of {@link #read}. */
    List<Domain> domains();

    /**
     * A reading of a domain.
     *
     * @param watts NaN when the source does not say
     * @param joules energy since some moment, without jumps; NaN when the source does not count
     */
    record Reading(double watts, double joules) {}

    /** A reading of each domain. */
    List<Reading> read() throws IOException;

    @Override
    void close();
}
