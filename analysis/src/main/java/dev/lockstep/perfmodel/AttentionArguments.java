// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How one operator of attention takes its arguments: a line of {@code attention.txt}, which describes the columns. */
record AttentionArguments(
        String op,
        int query,
        String layout,
        int dropoutAt,
        int causalAt,
        Set<String> facts,
        List<Integer> sequencesAt) {

    /** The lines of a resource under {@code models}. */
    static List<AttentionArguments> all(String resource) {
        List<AttentionArguments> all = new ArrayList<>();
        String table = ElementTypes.resource(AttentionArguments.class, "models/" + resource);
        for (String line : table.split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                all.add(parse(List.of(line.strip().split("\\s+"))));
            }
        }
        return all;
    }

    private static AttentionArguments parse(List<String> columns) {
        List<Integer> sequences = new ArrayList<>();
        for (String fact : columns) {
            if (fact.startsWith("seqs=")) {
                for (String index : fact.substring("seqs=".length()).split(",")) {
                    sequences.add(Integer.valueOf(index));
                }
            }
        }
        return new AttentionArguments(
                columns.get(0),
                Integer.parseInt(columns.get(1)),
                columns.get(2),
                index(columns.get(3)),
                index(columns.get(4)),
                Set.copyOf(columns.subList(5, columns.size())),
                List.copyOf(sequences));
    }

    private static int index(String column) {
        return column.equals("-") ? -1 : Integer.parseInt(column);
    }

    boolean is(String fact) {
        return facts.contains(fact);
    }

    AttentionSizes sizes(OpCall call) throws NotModelled {
        Shape q = call.shape(query, layout.length());
        Shape k = is("self") ? q : call.shape(query + 1, layout.length());
        Shape v = is("self") ? q : call.shape(query + 2, layout.length());
        require(batch(q) == batch(k) && batch(q) == batch(v), "batches differ");
        require(of(k, 'H') == of(v, 'H') && of(k, 'H') > 0, "keys and values have different heads");
        require(length(k) == length(v), "keys and values have different lengths");
        require(of(q, 'D') == of(k, 'D'), "queries and keys have different widths");
        return new AttentionSizes(batch(q), length(q), of(q, 'H'), length(k), of(k, 'H'), of(q, 'D'), of(v, 'D'));
    }

    private static void require(boolean condition, String otherwise) throws NotModelled {
        if (!condition) {
            throw NotModelled.unreadable(otherwise);
        }
    }

    private long batch(Shape shape) throws NotModelled {
        return (layout.indexOf('B') < 0 ? 1 : of(shape, 'B')) * (layout.indexOf('S') < 0 ? 1 : of(shape, 'S'));
    }

    private long length(Shape shape) throws NotModelled {
        return of(shape, layout.indexOf('T') < 0 ? 'N' : 'T');
    }

    private long of(Shape shape, char dimension) throws NotModelled {
        return shape.dim(layout.indexOf(dimension));
    }

    double dropout(OpCall call) {
        double probability = dropoutAt < 0 ? 0 : Numeral.real(call.concreteText(dropoutAt));
        return Double.isNaN(probability) ? 0 : probability;
    }

    boolean causal(OpCall call) throws NotModelled {
        if (causalAt < 0) {
            return false;
        }
        if (is("masked") && call.concreteText(causalAt).isEmpty()) {
            return true;
        }
        call.concrete(causalAt);
        return call.concreteText(causalAt).equalsIgnoreCase("true");
    }

    /** The sequences that lie end to end in the arguments; null where there is one for each batch. */
    @Nullable
    Sequences sequences(OpCall call) throws NotModelled {
        return sequencesAt.isEmpty()
                ? null
                : new Sequences(
                        call.shape(sequencesAt.get(0)).dim(0) - 1,
                        call.shape(sequencesAt.get(1)).dim(0) - 1,
                        length(call, sequencesAt.get(2)),
                        length(call, sequencesAt.get(3)));
    }

    private static double length(OpCall call, int argument) throws NotModelled {
        double length = Numeral.real(call.concreteText(argument));
        if (Double.isNaN(length)) {
            throw NotModelled.unreadable("argument " + argument + " is no length");
        }
        return length;
    }

    /** The types of the first two arguments, or of the first one. */
    Value types(OpCall call) throws NotModelled {
        Value first = Value.of(call.type(0));
        return is("type") ? Value.list(List.of(first)) : Value.tuple(first, Value.of(call.type(1)));
    }
}
