// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.Trace;
import dev.lockstep.table.StringPool;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The same collective on all ranks: one instance with one kernel per member.
 *
 * <p>Within a process group (its name and its members) collectives are matched by the sequence number that newer
 * profilers record; without it by their order on each rank. Members of an instance must agree in kind and element type;
 * where they do not, an instance is split by what its members say, and the split is counted. Traces that record no group
 * are matched by kernel name and order, which {@link Basis} says.
 */
public final class CollectiveMatch {
    /** What an instance was matched by, most trusted first. */
    public enum Basis {
        SEQUENCE,
        GROUP_AND_ORDER,
        NAME_AND_ORDER
    }

    /**
     * One rank's part in an instance.
     *
     * @param trace place of the rank's trace in the list that was matched
     * @param slice its kernel
     */
    public record Member(int trace, int slice) {}

    /**
     * One collective across the ranks.
     *
     * @param group name of the process group, empty when not recorded
     * @param groupRanks its members as the trace writes them, null when not recorded
     * @param kind the collective as the framework names it, or the kernel's name
     * @param number sequence number, or place in order
     * @param basis what it was matched by
     * @param members in order of the traces
     */
    public record Instance(
            String group, @Nullable String groupRanks, String kind, long number, Basis basis, List<Member> members) {
        public Instance {
            members = List.copyOf(members);
        }
    }

    /** A process group, or, where none is recorded, all kernels of a name. */
    private record Group(boolean recorded, String name, String ranks) {}

    private record Found(Member member, String kind, String dtype) {}

    /** What one group did on all ranks, by sequence number or place in order. */
    private static final class Collected {
        private final boolean sequenced;
        private final TreeMap<Long, List<Found>> byNumber = new TreeMap<>();

        private Collected(boolean sequenced) {
            this.sequenced = sequenced;
        }
    }

    private final List<Instance> instances = new ArrayList<>();
    private long disagreements;

    private CollectiveMatch() {}

    /** Matches the collectives of these ranks. */
    public static CollectiveMatch of(List<Trace> traces, KernelRules rules) {
        CollectiveMatch match = new CollectiveMatch();
        Map<Group, Collected> groups = new HashMap<>();
        for (int t = 0; t < traces.size(); t++) {
            Trace trace = traces.get(t);
            CollectiveDetails details = trace.view(CollectiveDetails.KEY);
            DeviceActivity activity = new DeviceActivity.Key(rules, null).derive(trace, new DerivedCache(trace));
            Map<Group, Long> next = new HashMap<>();
            for (int i = 0; i < activity.size(); i++) {
                int slice = activity.slice(i);
                if (activity.classOf(slice) != KernelClass.COMMUNICATION) {
                    continue;
                }
                int row = details == null ? -1 : details.of(slice);
                Group group = groupOf(trace, details, row, slice);
                long sequence = details == null || row < 0 ? -1 : details.sequence(row);
                long place = next.merge(group, 0L, (a, b) -> a + 1);
                Collected collected = groups.computeIfAbsent(group, g -> new Collected(sequence >= 0));
                collected
                        .byNumber
                        .computeIfAbsent(
                                collected.sequenced && sequence >= 0 ? sequence : place, k -> new ArrayList<>())
                        .add(new Found(
                                new Member(t, slice),
                                kindOf(trace, details, row, slice),
                                details == null || row < 0 ? "" : text(trace.strings(), details.dtype(row))));
            }
        }
        List<Group> order = new ArrayList<>(groups.keySet());
        order.sort(Comparator.comparing(Group::name).thenComparing(Group::ranks));
        for (Group group : order) {
            Collected collected = groups.getOrDefault(group, new Collected(false));
            Basis basis = group.recorded
                    ? collected.sequenced ? Basis.SEQUENCE : Basis.GROUP_AND_ORDER
                    : Basis.NAME_AND_ORDER;
            collected.byNumber.forEach((number, found) -> match.add(group, basis, number, found));
        }
        return match;
    }

    /** All instances: by group, then number. */
    public List<Instance> instances() {
        return instances;
    }

    /** How many times members of one place did not agree and were taken apart. */
    public long disagreements() {
        return disagreements;
    }

    private void add(Group group, Basis basis, long number, List<Found> found) {
        Map<String, List<Found>> alike = new TreeMap<>();
        for (Found f : found) {
            alike.computeIfAbsent(f.kind + '\0' + f.dtype, k -> new ArrayList<>())
                    .add(f);
        }
        if (alike.size() > 1) {
            disagreements++;
        }
        for (List<Found> some : alike.values()) {
            instances.add(new Instance(
                    group.recorded ? group.name : "",
                    group.ranks.isEmpty() ? null : group.ranks,
                    some.getFirst().kind,
                    number,
                    basis,
                    some.stream().map(Found::member).toList()));
        }
    }

    private static Group groupOf(Trace trace, @Nullable CollectiveDetails details, int row, int slice) {
        if (details != null && row >= 0 && (details.groupName(row) >= 0 || details.groupRanks(row) >= 0)) {
            return new Group(
                    true,
                    text(trace.strings(), details.groupName(row)),
                    text(trace.strings(), details.groupRanks(row)));
        }
        return new Group(false, trace.name(slice), "");
    }

    private static String kindOf(Trace trace, @Nullable CollectiveDetails details, int row, int slice) {
        if (details != null && row >= 0 && details.collective(row) >= 0) {
            return trace.strings().get(details.collective(row));
        }
        return trace.name(slice);
    }

    private static String text(StringPool strings, int id) {
        String text = strings.orNull(id);
        return text == null ? "" : text;
    }
}
