// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Calls for tests, and the program's own answers about them. */
final class Calls {
    private static final OpModels MODELS = OpModels.standard();

    private Calls() {}

    /** A call with arguments in JSON with single quotes. */
    static OpCall call(String name, String dims, String types, String concrete) {
        return OpCall.of(name, json(dims), json(types), null, json(concrete));
    }

    static String json(String text) {
        return text.replace('\'', '"');
    }

    static OpModel model(String name) {
        OpModel model = MODELS.of(name);
        assertThat(model).as("model of %s", name).isNotNull();
        return java.util.Objects.requireNonNull(model);
    }

    static Work forward(OpCall call) throws NotModelled {
        return model(call.name()).forward(call);
    }

    static Work backward(OpCall call) throws NotModelled {
        return model(call.name()).backward(call);
    }

    static String parameter(Work work, String name) {
        List<String> found = work.parameters().stream()
                .filter(parameter -> parameter.name().equals(name))
                .map(parameter -> parameter.value().json())
                .toList();
        assertThat(found).as("parameter %s", name).hasSize(1);
        return found.getFirst();
    }
}
