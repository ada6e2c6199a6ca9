// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.perfmodel.Parameter;
import dev.lockstep.table.IntTuples;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Collects the rows of a family: operators whose models have equal parameters. */
final class FamilyRows {
    /** Operators that share a row. */
    static final class Group {
        final int first;
        final List<Parameter> parameters;
        final int kernelCount;
        final boolean recompute;
        final WorkFigures.Collector figures = new WorkFigures.Collector();
        final KernelPositions positions = new KernelPositions();
        final Overlapping.Collector overlapping = new Overlapping.Collector();

        private Group(int first, List<Parameter> parameters, int kernelCount, boolean recompute) {
            this.first = first;
            this.parameters = parameters;
            this.kernelCount = kernelCount;
            this.recompute = recompute;
        }
    }

    private final Map<List<Parameter>, Integer> numbers = new HashMap<>();
    private final IdentityHashMap<Works.Outcome, Integer> known = new IdentityHashMap<>();
    private final Set<String> parameterNames = new LinkedHashSet<>();
    private final IntTuples tuples = new IntTuples();
    private final List<@Nullable Group> byTuple = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();

    /** In order of first appearance. */
    List<Group> groups() {
        return groups;
    }

    /** The parameters that occur, in order of first appearance. */
    Set<String> parameterNames() {
        return parameterNames;
    }

    /**
     * The row of an operator whose work is known.
     *
     * @param name pool id of its name
     * @param kernelCount -1 when it does not tell rows apart
     */
    Group of(int op, int name, Works.Outcome outcome, int kernelCount, boolean recompute) {
        List<Parameter> parameters = parameters(outcome);
        int tuple = tuples.then(tuples.then(IntTuples.ROOT, name), numberOf(outcome, parameters));
        tuple = tuples.then(tuples.then(tuple, kernelCount), recompute ? 1 : 0);
        while (byTuple.size() <= tuple) {
            byTuple.add(null);
        }
        Group group = byTuple.get(tuple);
        if (group == null) {
            group = new Group(op, parameters, kernelCount, recompute);
            byTuple.set(tuple, group);
            groups.add(group);
        }
        return group;
    }

    private static List<Parameter> parameters(Works.Outcome outcome) {
        return outcome.work() == null ? List.of() : outcome.work().parameters();
    }

    private int numberOf(Works.Outcome outcome, List<Parameter> parameters) {
        Integer number = known.get(outcome);
        if (number == null) {
            number = numbers.computeIfAbsent(parameters, p -> numbers.size());
            known.put(outcome, number);
            parameters.forEach(p -> parameterNames.add(p.name()));
        }
        return number;
    }
}
