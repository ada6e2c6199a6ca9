// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Scaled dot product attention: scores from queries and keys, then values weighted by them, each {@code 2 N_Q N_KV d}
 * operations for each head; half of it where later positions are masked. The softmax between is not counted. The backward
 * takes five such products, four where the scores were kept; see Dao et al., FlashAttention.
 */
final class AttentionModel implements OpModel {
    private static final double HALF = 2;

    private final ModelRules rules;
    private final AttentionArguments arguments;

    private AttentionModel(ModelRules rules, AttentionArguments arguments) {
        this.rules = rules;
        this.arguments = arguments;
    }

    /** The operators that a resource under {@code models} lists. */
    static void register(OpModels.Builder models, String resource) {
        for (AttentionArguments arguments : AttentionArguments.all(resource)) {
            models.add(arguments.op(), new AttentionModel(models.rules(), arguments));
        }
    }

    @Override
    public String family() {
        return "SDPA";
    }

    @Override
    public String category() {
        return arguments.is("backward") ? "SDPA_bwd" : "SDPA_fwd";
    }

    @Override
    public @Nullable String backwardCategory() {
        return "SDPA_bwd";
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        return work(call, arguments.is("backward"));
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        return work(call, true);
    }

    private Work work(OpCall call, boolean gradients) throws NotModelled {
        AttentionSizes sizes = arguments.sizes(call);
        boolean causal = arguments.causal(call);
        Sequences sequences = arguments.sequences(call);
        double read = sizes.queries() + sizes.keys() + sizes.values();
        double elements = (gradients ? 2 * read : read) + sizes.outputs();
        return new Work(
                gradients ? backwardFlops(sizes, sequences, causal) : forwardFlops(sizes, sequences, causal),
                elements * elementSize(call),
                rules.computeSpec("matrix", type(call), List.of()),
                parameters(call, sizes, sequences, causal));
    }

    private double elementSize(OpCall call) throws NotModelled {
        if (rules.attention().elementSize()) {
            return rules.types().bytes(call.type(arguments.query()));
        }
        return arguments.is("own-size") ? rules.types().bytes(call.type(0)) : HALF;
    }

    private @Nullable String type(OpCall call) throws NotModelled {
        if (rules.attention().precision()) {
            return call.type(arguments.query());
        }
        return arguments.is("types") || arguments.is("type") ? call.type(0) : null;
    }

    private double forwardFlops(AttentionSizes s, @Nullable Sequences sequences, boolean causal) throws NotModelled {
        double perPair = 2 * s.batch() * s.queryHeads() * (double) (s.width() + s.valueWidth());
        return perPair * pairs(s, sequences, causal);
    }

    private double backwardFlops(AttentionSizes s, @Nullable Sequences sequences, boolean causal) throws NotModelled {
        double widths = (arguments.is("flash") ? 3 : 2) * (double) s.width() + 2 * (double) s.valueWidth();
        double perPair = 2 * s.batch() * s.queryHeads() * widths;
        double perKey = s.batch() * (double) (s.width() + s.valueWidth()) * (s.queryHeads() / s.keyHeads() - 1);
        double half = causal ? 0.5 : 1;
        return perPair * pairs(s, sequences, causal) + half * perKey * keys(s, sequences);
    }

    /** Pairs of a query and a key, in one batch. */
    private double pairs(AttentionSizes s, @Nullable Sequences sequences, boolean causal) throws NotModelled {
        if (sequences == null) {
            return pairs((double) s.queryLength(), (double) s.keyLength(), causal);
        }
        double pairs = pairs(sequences.longestQuery(), sequences.longestKey(), causal);
        if (sequences.queries() > 1) {
            pairs += (sequences.queries() - 1)
                    * pairs(sequences.otherQuery(s.queryLength()), sequences.otherKey(s.keyLength()), causal);
        }
        return pairs;
    }

    private static double keys(AttentionSizes s, @Nullable Sequences sequences) throws NotModelled {
        if (sequences == null) {
            return s.keyLength();
        }
        return sequences.longestKey()
                + (sequences.queries() > 1 ? (sequences.queries() - 1) * sequences.otherKey(s.keyLength()) : 0);
    }

    /** With a mask, a query sees the keys up to its own position. */
    private double pairs(double queries, double keys, boolean causal) throws NotModelled {
        if (!causal) {
            return queries * keys;
        }
        if (queries != keys && !rules.attention().unequalLengths()) {
            throw NotModelled.unreadable("causal attention of " + queries + " queries to " + keys + " keys");
        }
        double square = Math.min(queries, keys) * Math.min(queries, keys);
        boolean cut = arguments.is("end") == queries < keys;
        return queries == keys || !cut ? square / 2 : queries * keys - square / 2;
    }

    private List<Parameter> parameters(OpCall call, AttentionSizes s, @Nullable Sequences sequences, boolean causal)
            throws NotModelled {
        List<Parameter> shown = new ArrayList<>();
        shown.add(new Parameter("B", Value.of(s.batch())));
        shown.add(new Parameter("N_Q", Value.of(s.queryLength())));
        shown.add(new Parameter("H_Q", Value.of(s.queryHeads())));
        shown.add(new Parameter("N_KV", Value.of(s.keyLength())));
        shown.add(new Parameter("H_KV", Value.of(s.keyHeads())));
        shown.add(new Parameter("d_h_qk", Value.of(s.width())));
        shown.add(new Parameter("d_h_v", Value.of(s.valueWidth())));
        if (arguments.is("strides")) {
            shown.add(new Parameter("q_stride", call.strides(arguments.query())));
            shown.add(new Parameter("k_stride", call.strides(arguments.query() + 1)));
            shown.add(new Parameter("v_stride", call.strides(arguments.query() + 2)));
        }
        if (arguments.is("dropout")) {
            shown.add(new Parameter("dropout", Value.of(arguments.dropout(call))));
        }
        shown.add(new Parameter("causal", Value.of(causal)));
        shown.add(new Parameter("flash_impl", Value.of(arguments.is("flash"))));
        if (arguments.is("types") || arguments.is("type")) {
            shown.add(new Parameter("dtype_A_B", arguments.types(call)));
        }
        if (sequences != null) {
            shown.addAll(sequences.parameters());
        }
        return shown;
    }
}
