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

    /** A process group, its kernels with and without numbers apart; where none is recorded, all kernels of a name. */
    private record Group(Basis basis, String name, String ranks) {}

    private record Found(Member member, String kind, String dtype) {}

    /**
     * Where a kernel stands in its group: the number that it carries, or its place in order.
     *
     * @param repetition counts kernels of one rank that carry the same number
     */
    private record Place(long number, int repetition) {
        static final Comparator<Place> ORDER =
                Comparator.comparingLong(Place::number).thenComparingInt(Place::repetition);
    }

    private final List<Instance> instances = new ArrayList<>();
    private long disagreements;

    private CollectiveMatch() {}

    /** Matches the collectives of these ranks. */
    public static CollectiveMatch of(List<Trace> traces, KernelRules rules) {
        CollectiveMatch match = new CollectiveMatch();
        Map<Group, Map<Place, List<Found>>> groups = new HashMap<>();
        for (int t = 0; t < traces.size(); t++) {
            match.collect(t, traces.get(t), rules, groups);
        }
        List<Group> order = new ArrayList<>(groups.keySet());
        order.sort(Comparator.comparing(Group::name).thenComparing(Group::ranks).thenComparing(Group::basis));
        for (Group group : order) {
            groups.getOrDefault(group, Map.of()).forEach((place, found) -> match.add(group, place.number, found));
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

    private void collect(int number, Trace trace, KernelRules rules, Map<Group, Map<Place, List<Found>>> groups) {
        CollectiveDetails details = trace.view(CollectiveDetails.KEY);
        DeviceActivity activity = new DeviceActivity.Key(rules, null).derive(trace, new DerivedCache(trace));
        Map<Group, Long> next = new HashMap<>();
        Map<Group, Map<Long, Integer>> repetitions = new HashMap<>();
        for (int i = 0; i < activity.size(); i++) {
            int slice = activity.slice(i);
            if (activity.classOf(slice) != KernelClass.COMMUNICATION) {
                continue;
            }
            int row = details == null ? -1 : details.of(slice);
            Group group = groupOf(trace, details, row, slice);
            long place = next.merge(group, 0L, (count, one) -> count + 1);
            int repetition = 0;
            if (group.basis == Basis.SEQUENCE && details != null) {
                place = details.sequence(row);
                repetition = repetitions
                        .computeIfAbsent(group, g -> new HashMap<>())
                        .merge(place, 0, (count, one) -> count + 1);
            }
            groups.computeIfAbsent(group, g -> new TreeMap<>(Place.ORDER))
                    .computeIfAbsent(new Place(place, repetition), p -> new ArrayList<>())
                    .add(new Found(
                            new Member(number, slice),
                            kindOf(trace, details, row, slice),
                            details == null || row < 0 ? "" : text(trace.strings(), details.dtype(row))));
        }
    }

    private void add(Group group, long number, List<Found> found) {
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
                    group.basis == Basis.NAME_AND_ORDER ? "" : group.name,
                    group.ranks.isEmpty() ? null : group.ranks,
                    some.getFirst().kind,
                    number,
                    group.basis,
                    some.stream().map(Found::member).toList()));
        }
    }

    private static Group groupOf(Trace trace, @Nullable CollectiveDetails details, int row, int slice) {
        if (details != null && row >= 0 && (details.groupName(row) >= 0 || details.groupRanks(row) >= 0)) {
            return new Group(
                    details.sequence(row) >= 0 ? Basis.SEQUENCE : Basis.GROUP_AND_ORDER,
                    text(trace.strings(), details.groupName(row)),
                    text(trace.strings(), details.groupRanks(row)));
        }
        return new Group(Basis.NAME_AND_ORDER, trace.name(slice), "");
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
