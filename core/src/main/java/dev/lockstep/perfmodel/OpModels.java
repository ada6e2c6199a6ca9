// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which operators have a model, and to which family and category they belong. Immutable. */
public final class OpModels {
    private final Map<String, OpModel> byName;
    private final List<PrefixModel> byPrefix;
    private final Map<String, String> categoryOnly;
    private final List<String> families;

    private record PrefixModel(String prefix, OpModel model) {}

    private OpModels(Builder builder) {
        byName = Map.copyOf(builder.byName);
        byPrefix = List.copyOf(builder.byPrefix);
        categoryOnly = Map.copyOf(builder.categoryOnly);
        families = byName.values().isEmpty()
                ? List.of()
                : builder.byName.values().stream().map(OpModel::family).distinct().toList();
    }

    /** All models of the program, with its own conventions. */
    public static OpModels standard() {
        return of(ModelRules.standard());
    }

    /** All models of the program, with these conventions. */
    public static OpModels of(ModelRules rules) {
        Builder builder = new Builder();
        GemmModel.register(builder, rules);
        return builder.build();
    }

    /** The model of the operators of this name, or null. */
    public @Nullable OpModel of(String opName) {
        OpModel exact = byName.get(opName);
        if (exact != null) {
            return exact;
        }
        for (PrefixModel candidate : byPrefix) {
            if (opName.startsWith(candidate.prefix)) {
                return candidate.model;
            }
        }
        return null;
    }

    /** The category of operators of this name, also of those known by category only; null for others. */
    public @Nullable String category(String opName) {
        String listed = categoryOnly.get(opName);
        OpModel model = listed != null ? null : byName.get(opName);
        return model == null ? listed : model.category();
    }

    /** The families that have sheets of their own, in the order of those sheets. */
    public List<String> families() {
        return families;
    }

    /** Collects models; what is added later replaces what had the same name. Confined to one thread. */
    static final class Builder {
        private final Map<String, OpModel> byName = new LinkedHashMap<>();
        private final List<PrefixModel> byPrefix = new ArrayList<>();
        private final Map<String, String> categoryOnly = new HashMap<>();

        void add(String opName, OpModel model) {
            byName.put(opName, model);
        }

        /** Operators whose names begin with this and are not known by their exact name. They have no sheet of their own. */
        void addPrefix(String prefix, OpModel model) {
            byPrefix.add(new PrefixModel(prefix, model));
        }

        /** Operators of which nothing but the category is known. */
        void addCategory(String opName, String category) {
            categoryOnly.put(opName, category);
        }

        OpModels build() {
            return new OpModels(this);
        }
    }
}
