// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import dev.lockstep.replay.plan.OperatorSchema.Parameter;
import dev.lockstep.replay.plan.SchemaType.Base;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recorded arguments as the parameters of a signature take them. Recordings name no overloads; the best one is that whose
 * parameters take the arguments with the fewest liberties.
 *
 * @param schema the signature
 * @param values one for each parameter: what to give, {@link Argument#NONE} for nothing, null for the default
 * @param liberties how far values had to be bent
 */
public record Binding(OperatorSchema schema, List<@Nullable Argument> values, int liberties) {
    private static final int PROMOTED = 1;
    private static final int LEFT_OUT = 2;

    /** Recordings leave devices out; whatever the text, that of the replay is taken. */
    private static final Argument THIS_DEVICE = new Argument.Text("");

    public Binding {
        values = Collections.unmodifiableList(new ArrayList<>(values));
    }

    /** The signatures that take the arguments, the best one first. */
    public static List<Binding> all(List<OperatorSchema> schemas, List<Argument> arguments) {
        List<Binding> found = new ArrayList<>();
        for (OperatorSchema schema : schemas) {
            Binding binding = of(schema, arguments);
            if (binding != null) {
                found.add(binding);
            }
        }
        found.sort(Comparator.comparingInt(Binding::liberties).thenComparing(b -> b.schema.overload()));
        return found;
    }

    /** The arguments as a signature takes them; null when it does not. */
    public static @Nullable Binding of(OperatorSchema schema, List<Argument> arguments) {
        List<Parameter> parameters = schema.parameters();
        if (arguments.size() > parameters.size()) {
            return null;
        }
        Liberties liberties = new Liberties();
        List<@Nullable Argument> values = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            Parameter parameter = parameters.get(i);
            if (i >= arguments.size()) {
                liberties.count += LEFT_OUT;
            }
            Argument given = i < arguments.size() ? arguments.get(i) : Argument.NONE;
            if (given instanceof Argument.None) {
                if (!parameter.hasDefault() && !parameter.type().optional()) {
                    if (parameter.type().base() != Base.DEVICE || i >= arguments.size()) {
                        return null;
                    }
                    liberties.count += LEFT_OUT;
                    values.add(THIS_DEVICE);
                    continue;
                }
                values.add(parameter.type().optional() ? Argument.NONE : null);
                continue;
            }
            Argument value = bend(given, parameter.type(), liberties);
            if (value == null) {
                return null;
            }
            values.add(value);
        }
        return new Binding(schema, values, liberties.count);
    }

    /** The same with another value where the parameter of this name was given one. */
    public Binding with(String parameter, Argument value) {
        List<@Nullable Argument> changed = new ArrayList<>(values);
        for (int i = 0; i < changed.size(); i++) {
            Argument given = changed.get(i);
            boolean stated = given != null && !(given instanceof Argument.None);
            if (stated && schema.parameters().get(i).name().equals(parameter)) {
                changed.set(i, value);
            }
        }
        return new Binding(schema, changed, liberties);
    }

    private static final class Liberties {
        private int count;
    }

    private static @Nullable Argument bend(Argument given, SchemaType type, Liberties liberties) {
        SchemaType element = type.element();
        if (element == null) {
            return single(given, type.base(), liberties);
        }
        if (element.base() == Base.TENSOR) {
            return given instanceof Argument.Tensors
                    ? given
                    : given instanceof Argument.Values(List<Argument> none) && none.isEmpty()
                            ? new Argument.Tensors(List.of())
                            : null;
        }
        if (given instanceof Argument.Values(List<Argument> values)) {
            List<Argument> bent = new ArrayList<>();
            for (Argument value : values) {
                Argument taken = bend(value, element, liberties);
                if (taken == null) {
                    return null;
                }
                bent.add(taken);
            }
            return new Argument.Values(bent);
        }
        Argument alone = type.fixed() ? single(given, element.base(), liberties) : null;
        liberties.count += PROMOTED;
        return alone == null ? null : new Argument.Values(List.of(alone));
    }

    private static @Nullable Argument single(Argument given, Base base, Liberties liberties) {
        return switch (base) {
            case TENSOR -> given instanceof Argument.Tensor ? given : null;
            case INT, ENUMERATED -> given instanceof Argument.Whole ? given : null;
            case FLOAT -> real(given, liberties);
            case BOOL -> truth(given, liberties);
            case SCALAR ->
                given instanceof Argument.Whole || given instanceof Argument.Real || given instanceof Argument.Truth
                        ? given
                        : null;
            case TEXT, DEVICE -> given instanceof Argument.Text ? given : null;
            case OTHER -> null;
        };
    }

    private static @Nullable Argument real(Argument given, Liberties liberties) {
        if (given instanceof Argument.Whole(long value)) {
            liberties.count += PROMOTED;
            return new Argument.Real(value);
        }
        return given instanceof Argument.Real ? given : null;
    }

    private static @Nullable Argument truth(Argument given, Liberties liberties) {
        if (given instanceof Argument.Whole(long value) && (value == 0 || value == 1)) {
            liberties.count += PROMOTED;
            return new Argument.Truth(value == 1);
        }
        return given instanceof Argument.Truth ? given : null;
    }
}
