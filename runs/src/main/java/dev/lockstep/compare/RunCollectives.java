// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compare;

import java.util.Collections;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The collectives of a run as its report tells them.
 *
 * @param families those that wait for the last, those that do not, variable all-to-alls
 * @param kernels names of all collectives of which kernels are listed
 * @param lateness who keeps the others waiting
 */
public record RunCollectives(List<Family> families, SortedSet<String> kernels, Lateness lateness) {
    /** Nothing is known. */
    public static final RunCollectives NONE = new RunCollectives(List.of(), new TreeSet<>(), Lateness.UNKNOWN);

    /**
     * Collectives that are listed together.
     *
     * @param instances each by itself; empty where they are not listed
     * @param sums by kind; empty where that is not known
     */
    public record Family(List<CollectiveInstance> instances, List<CollectiveSum> sums) {
        public Family {
            instances = List.copyOf(instances);
            sums = List.copyOf(sums);
        }
    }

    public RunCollectives {
        families = List.copyOf(families);
        kernels = Collections.unmodifiableSortedSet(new TreeSet<>(kernels));
    }

    /**
     * Where nobody knows who is late.
     *
     * @param families as above
     * @param kernels as above
     */
    public RunCollectives(List<Family> families, SortedSet<String> kernels) {
        this(families, kernels, Lateness.UNKNOWN);
    }

    /** What is summed up, of all families. */
    public List<CollectiveSum> sums() {
        return families.stream().flatMap(family -> family.sums().stream()).toList();
    }
}
