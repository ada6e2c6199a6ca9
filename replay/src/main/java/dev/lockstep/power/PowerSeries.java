// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.power;

import dev.lockstep.table.Quantiles;
import java.util.Arrays;
import java.util.List;

/**
 * Power of one domain, such as a device, by time; where the domain counts energy, that too. The arrays run in parallel and
 * pass to the record.
 *
 * @param domain what was measured
 * @param ids what else tells the device, such as its address on the bus; may be empty
 * @param ns times in ns since 1970, ascending
 * @param watts power at these times; NaN where it was not read
 * @param joules energy since some moment, ascending; NaN where it was not read, empty when the domain does not count
 */
@SuppressWarnings("ArrayRecordComponent")
public record PowerSeries(String domain, List<String> ids, long[] ns, double[] watts, double[] joules) {
    private static final double NS_PER_S = 1e9;

    public PowerSeries {
        ids = List.copyOf(ids);
    }

    /** Power of a domain of which nothing else is known. */
    public PowerSeries(String domain, long[] ns, double[] watts, double[] joules) {
        this(domain, List.of(), ns, watts, joules);
    }

    /** Whether this is the power of a device, given by its name, number, address on the bus or UUID. */
    public boolean isOf(String device) {
        return domain.equals(device)
                || domain.equals("gpu" + device)
                || DeviceIds.same(domain, device)
                || ids.stream().anyMatch(id -> DeviceIds.same(id, device));
    }

    /** Number of samples. */
    public int size() {
        return ns.length;
    }

    /** Whether the domain counts energy. */
    public boolean counts() {
        return joules.length > 0;
    }

    /** The middle one of the times between samples, in s; NaN for fewer than two. */
    public double period() {
        if (ns.length < 2) {
            return Double.NaN;
        }
        long[] apart = new long[ns.length - 1];
        for (int i = 0; i < apart.length; i++) {
            apart[i] = ns[i + 1] - ns[i];
        }
        Arrays.sort(apart);
        return Quantiles.upperMedian(apart, 0) / NS_PER_S;
    }

    /**
     * The power that a tenth of the samples before a moment do not exceed: that of a device at rest, if it rested at all;
     * NaN when there are fewer than three samples.
     */
    public double quietBefore(long moment) {
        int n = 0;
        double[] before = new double[ns.length];
        for (int i = 0; i < ns.length && ns[i] < moment; i++) {
            if (!Double.isNaN(watts[i])) {
                before[n++] = watts[i];
            }
        }
        Arrays.sort(before, 0, n);
        return n < 3 ? Double.NaN : before[n / 10];
    }
}
