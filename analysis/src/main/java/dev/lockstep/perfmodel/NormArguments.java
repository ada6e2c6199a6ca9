// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.NormSizes.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How one normalisation takes its arguments: a line of {@code norm.txt}, which describes the columns. */
record NormArguments(
        String op,
        Kind kind,
        int input,
        int weight,
        int biasAt,
        int channelsAt,
        int groupsAt,
        int trainingAt,
        int maskAt,
        int entry,
        Set<String> facts) {
    private static final int COLUMNS = 10;

    static List<NormArguments> all() {
        List<NormArguments> all = new ArrayList<>();
        for (String line :
                ElementTypes.resource(NormArguments.class, "models/norm.txt").split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                all.add(parse(List.of(line.strip().split("\\s+"))));
            }
        }
        return all;
    }

    private static NormArguments parse(List<String> columns) {
        int[] at = new int[COLUMNS];
        for (int i = 2; i < COLUMNS; i++) {
            at[i] = columns.get(i).equals("-") ? -1 : Integer.parseInt(columns.get(i));
        }
        return new NormArguments(
                columns.get(0),
                Kind.valueOf(columns.get(1).toUpperCase(Locale.ROOT)),
                at[2],
                at[3],
                at[4],
                at[5],
                at[6],
                at[7],
                at[8],
                at[9],
                Set.copyOf(columns.subList(COLUMNS, columns.size())));
    }

    boolean is(String fact) {
        return facts.contains(fact);
    }

    boolean affine(OpCall call, boolean recorded) throws NotModelled {
        if (recorded) {
            return call.hasShape(weight);
        }
        return entry < 0 ? mask(call, false).get(1) : !call.dims(entry).equals(Value.NONE);
    }

    boolean bias(OpCall call, boolean recorded) throws NotModelled {
        if (kind == Kind.RMS) {
            return false;
        }
        if (!recorded && kind != Kind.LAYER) {
            return true;
        }
        if (is("backward")) {
            return mask(call, recorded).size() > 2 && mask(call, recorded).get(2);
        }
        return recorded ? call.hasShape(biasAt) : !call.dims(biasAt).equals(Value.NONE);
    }

    boolean training(OpCall call, boolean recorded) throws NotModelled {
        if (trainingAt < 0) {
            return kind != Kind.RMS && (recorded || !is("vendor"));
        }
        call.concrete(trainingAt);
        String flag = call.concreteText(trainingAt);
        return recorded ? flag.equals("True") || flag.equals("1") : !flag.isEmpty();
    }

    /** Which gradients a backward computes; empty for a forward. */
    List<Boolean> mask(OpCall call, boolean recorded) throws NotModelled {
        if (!is("backward")) {
            return List.of();
        }
        if (!recorded && kind == Kind.BATCH) {
            return List.of(is("vendor") || !call.dims(0).equals(Value.NONE));
        }
        if (maskAt < 0 || recorded && valuesUnknown(call)) {
            return List.of(true, call.hasShape(weight), call.hasShape(weight));
        }
        List<Boolean> mask = new ArrayList<>();
        for (Value computed : Value.listed(call.concreteText(maskAt))) {
            mask.add(Arithmetic.holds(computed));
        }
        if (mask.size() < (kind == Kind.RMS ? 2 : 3)) {
            throw NotModelled.unreadable("argument " + maskAt + " does not say which gradients are computed");
        }
        return mask;
    }

    /** Elements of the weights: those of the shape that is normalised over, else the second dimension. */
    Value channels(OpCall call, boolean recorded) throws NotModelled {
        if (channelsAt < 0) {
            long channels = call.shape(input).dim(1);
            boolean grouped = !recorded && kind == Kind.GROUP && is("backward");
            return grouped ? Value.of((double) channels / groups(call)) : Value.of(channels);
        }
        if (recorded && valuesUnknown(call)) {
            return Value.of(call.shape(weight).elements());
        }
        call.concrete(channelsAt);
        long product = 1;
        for (Value size : Value.listed(call.concreteText(channelsAt))) {
            product *= Arithmetic.integer(size);
        }
        if (product <= 0) {
            throw NotModelled.unreadable("argument " + channelsAt + " is no shape to normalise over");
        }
        return Value.of(product);
    }

    /** Older profilers record no values of arguments; weights have the shape that a layer is normalised over. */
    private boolean valuesUnknown(OpCall call) {
        return kind == Kind.LAYER && call.concreteCount() == 0 && call.hasShape(weight);
    }

    private long groups(OpCall call) throws NotModelled {
        long groups = Arithmetic.integer(Value.scalar(call.concreteText(groupsAt)));
        if (groups <= 0) {
            throw NotModelled.unreadable("argument " + groupsAt + " is no number of groups");
        }
        return groups;
    }

    /** How many parts are normalised for themselves. */
    double statistics(OpCall call, Shape shape) throws NotModelled {
        return switch (kind) {
            case BATCH -> shape.dim(1);
            case INSTANCE -> (double) shape.dim(0) * shape.dim(1);
            case GROUP -> shape.dim(0) * (double) groups(call);
            case LAYER, RMS -> shape.elements() / Arithmetic.number(channels(call, true));
        };
    }
}
