// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model that a file declares. */
final class DeclaredModel implements OpModel {
    private final Declaration declaration;
    private final ModelRules rules;
    private volatile @Nullable Program program;
    private volatile @Nullable Boolean readsAnnotation;
    private volatile @Nullable Boolean readsResults;

    DeclaredModel(Declaration declaration, ModelRules rules) {
        this.declaration = declaration;
        this.rules = rules;
    }

    /**
     * The formulas, understood. Until then nothing is known of their mistakes.
     *
     * @throws dev.lockstep.error.UserException naming file, line, column and what was expected there
     */
    Program program() {
        Program known = program;
        if (known == null) {
            known = Program.of(declaration);
            program = known;
        }
        return known;
    }

    @Override
    public String family() {
        return declaration.family();
    }

    @Override
    public String category() {
        return declaration.category();
    }

    @Override
    public @Nullable String backwardCategory() {
        return declaration.backwardCategory();
    }

    @Override
    public boolean readsAnnotation() {
        Boolean known = readsAnnotation;
        if (known == null) {
            known = mentions("iteration(");
            readsAnnotation = known;
        }
        return known;
    }

    @Override
    public boolean readsResults() {
        Boolean known = readsResults;
        if (known == null) {
            known = mentions("result_shape(") || mentions("result_type(");
            readsResults = known;
        }
        return known;
    }

    private boolean mentions(String function) {
        return declaration.names().values().stream().anyMatch(f -> f.text().contains(function));
    }

    @Override
    public Work forward(OpCall call) throws NotModelled {
        return work(call, Declaration.FLOPS, Declaration.BYTES);
    }

    @Override
    public Work backward(OpCall call) throws NotModelled {
        if (program().slot(Declaration.BACKWARD_FLOPS) < 0) {
            throw NotModelled.notImplemented("there are no formulas for the backward of " + call.name());
        }
        return work(call, Declaration.BACKWARD_FLOPS, Declaration.BACKWARD_BYTES);
    }

    private Work work(OpCall call, String flops, String bytes) throws NotModelled {
        Program known = program();
        Scope scope = new Scope(call, rules, known.formulas());
        List<Parameter> parameters = new ArrayList<>();
        for (Program.Shown shown : known.parameters()) {
            Value value = scope.name(shown.slot());
            if (!value.equals(Functions.ABSENT)) {
                parameters.add(new Parameter(shown.name(), value));
            }
        }
        return new Work(
                number(scope, known.slot(flops)),
                number(scope, known.slot(bytes)),
                spec(scope, known.slot(Declaration.PRECISION)),
                parameters);
    }

    private static double number(Scope scope, int slot) throws NotModelled {
        Value value = slot < 0 ? Value.NONE : scope.name(slot);
        return value instanceof Value.None ? Double.NaN : Arithmetic.number(value);
    }

    private String spec(Scope scope, int slot) throws NotModelled {
        Value type = slot < 0 ? Value.NONE : scope.name(slot);
        return rules.computeSpec(
                declaration.unit(),
                type instanceof Value.Text text ? text.value() : null,
                scope.call().kernels());
    }
}
