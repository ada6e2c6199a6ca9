// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.perfmodel.NormSizes.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Normalisations: by batch, layer, group, instance, and by mean square. */
final class NormModel implements OpModel {
    private final ModelRules rules;
    private final NormArguments arguments;

    private NormModel(ModelRules rules, NormArguments arguments) {
        this.rules = rules;
        this.arguments = arguments;
    }

    static void register(OpModels.Builder models) {
        for (NormArguments arguments : NormArguments.all()) {
            models.add(arguments.op(), new NormModel(models.rules(), arguments));
        }
    }

    @Override
    public String family() {
        return "Normalization";
    }

    @Override
    public String category() {
        return arguments.is("backward") ? "NORM_bwd" : "NORM_fwd";
    }

    @Override
    public @Nullable String backwardCategory() {
        return "NORM_bwd";
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        if (arguments.is("unknown")) {
            throw NotModelled.notImplemented("there are no formulas for " + call.name());
        }
        boolean recorded = rules.norm().recorded();
        Shape shape = call.shape(arguments.input());
        Value channels = arguments.channels(call, recorded);
        List<Boolean> mask = arguments.mask(call, recorded);
        NormSizes sizes = new NormSizes(
                arguments.kind(),
                (double) shape.elements(),
                Arithmetic.number(channels),
                recorded ? arguments.statistics(call, shape) : Double.NaN,
                arguments.affine(call, recorded),
                arguments.bias(call, recorded),
                arguments.training(call, recorded),
                mask);
        String type = call.type(arguments.input());
        double size = rules.types().bytes(type);
        return new Work(
                rules.norm().cost().flops(sizes),
                rules.norm().cost().bytes(sizes, size, size),
                rules.computeSpec("vector", type, List.of()),
                parameters(call, shape, type, channels, sizes));
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        if (arguments.kind() == Kind.RMS && arguments.is("backward")) {
            return forward(call);
        }
        throw NotModelled.notImplemented("the backward of a normalisation runs as an operator of its own");
    }

    private List<Parameter> parameters(OpCall call, Shape shape, String type, Value channels, NormSizes sizes)
            throws NotModelled {
        List<Parameter> shown = new ArrayList<>();
        shown.add(new Parameter("op_shape", shape.value()));
        shown.add(new Parameter("dtype_in_out", Value.tuple(Value.of(type), Value.NONE)));
        shown.add(new Parameter("stride_input", call.strides(arguments.input())));
        shown.add(new Parameter("stride_output", Value.NONE));
        shown.add(new Parameter("num_channels", channels));
        shown.add(new Parameter("has_bias", Value.of(sizes.bias())));
        shown.add(new Parameter("is_affine", Value.of(sizes.affine())));
        shown.add(new Parameter("is_training", Value.of(sizes.training())));
        if (sizes.backward()) {
            shown.add(new Parameter(
                    "output_mask",
                    Value.list(sizes.mask().stream()
                            .map(computed -> Value.of((boolean) computed))
                            .toList())));
        }
        return shown;
    }
}
