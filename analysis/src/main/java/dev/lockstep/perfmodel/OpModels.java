// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

import dev.lockstep.options.ReportOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which operators have a model, and to which family and category they belong. Immutable. */
public final class OpModels {
    /** The order of the sheets of known families; others follow as they were added. */
    private static final List<String> ORDER = List.of(
            "GEMM",
            "SDPA",
            "CONV",
            "InferenceAttention",
            "BinaryElementwise",
            "GroupedGEMM",
            "MoE_comm",
            "SSM",
            "RoPE",
            "CrossEntropy",
            "UnaryElementwise",
            "MoE_fused",
            "MoE_unfused",
            "MoE_aux",
            "RMSNorm",
            "elementwise",
            "GroupQuant",
            "FusedRoPE",
            "CustomCollective",
            "mHC",
            "Normalization",
            "Softmax",
            "Loss",
            "Dropout",
            "Pooling",
            "TernaryElementwise",
            "Optimizer",
            "Embedding",
            "EmbeddingTables",
            "Quantisation",
            "RNN",
            "DataMovement",
            "Sort",
            "Reduce");

    private final ModelRules rules;
    private final Map<String, OpModel> byName;
    private final List<PatternModel> byPattern;
    private final Map<String, String> categories;
    private final Map<String, Declaration> templates;
    private final List<String> families;

    private record PatternModel(Predicate<String> names, OpModel model) {}

    private OpModels(Builder builder) {
        rules = builder.rules;
        byName = Map.copyOf(builder.byName);
        byPattern = List.copyOf(builder.byPattern);
        categories = Map.copyOf(builder.categories);
        templates = Map.copyOf(builder.templates);
        Set<String> found = new LinkedHashSet<>();
        builder.byName.values().forEach(model -> found.add(model.family()));
        Set<String> ordered = new LinkedHashSet<>(ORDER);
        ordered.retainAll(found);
        ordered.addAll(found);
        families = List.copyOf(ordered);
    }

    /** All models of the program, read once. */
    private static final class Standard {
        static final OpModels MODELS = read();
    }

    /** All models of the program, with its own conventions. */
    public static OpModels standard() {
        return Standard.MODELS;
    }

    private static OpModels read() {
        Builder builder = common(ModelRules.standard());
        builder.declared("pointwise.json");
        builder.declared("softmax.json");
        builder.declared("data-movement.json");
        builder.declared("optimizer.json");
        builder.declared("pooling.json");
        builder.declared("grouped-and-old-products.json");
        builder.declared("embedding-tables.json");
        AttentionModel.register(builder, "attention-backward.txt");
        ReduceModel.registerMore(builder);
        return builder.build();
    }

    /** The models that other tools have, too, with these conventions. */
    public static OpModels of(ModelRules rules) {
        return common(rules).build();
    }

    private static Builder common(ModelRules rules) {
        Builder builder = new Builder(rules);
        builder.declared("gemm.json");
        builder.declared("elementwise.json");
        builder.declared("fused.json");
        builder.declared("serving-attention.json");
        builder.declared("moe.json");
        builder.declared("rms-norm.json");
        builder.declared("quantisation.json");
        builder.declared("rope.json");
        builder.declared("custom-collectives.json");
        builder.declared("hyper-connections.json");
        AttentionModel.register(builder, "attention.txt");
        ConvModel.register(builder);
        NormModel.register(builder);
        ReduceModel.register(builder);
        GroupedGemmModel.register(builder);
        TritonModel.register(builder);
        builder.categories("categories.txt");
        return builder;
    }

    /**
     * These models and those that a user describes, which replace what is known under the same name.
     *
     * @param own the description, null for none
     * @throws dev.lockstep.error.UserException naming file, line, column and what was expected there
     */
    public OpModels with(ReportOptions.@Nullable Definitions own) {
        return own == null ? this : with(own.source(), own.json());
    }

    /**
     * These models and those that a file declares, which replace what is known under the same name.
     *
     * @param source the name of the file, for messages
     * @param json its text, in the format of {@code docs/how-to/add-an-op-model.md}
     * @throws dev.lockstep.error.UserException naming file, line, column and what was expected there
     */
    public OpModels with(String source, String json) {
        Builder builder = new Builder(rules);
        builder.byName.putAll(byName);
        builder.byPattern.addAll(byPattern);
        builder.categories.putAll(categories);
        builder.templates.putAll(templates);
        builder.declare(source, json, true);
        return builder.build();
    }

    /** The model of the operators of this name, or null. */
    public @Nullable OpModel of(String opName) {
        OpModel exact = byName.get(opName);
        if (exact != null) {
            return exact;
        }
        for (PatternModel candidate : byPattern) {
            if (candidate.names.test(opName)) {
                return candidate.model;
            }
        }
        return null;
    }

    /**
     * The category of the operators of this name, as it was listed, else that of their model; null for others, and for
     * those that are known by a pattern only.
     */
    public @Nullable String category(String opName) {
        String listed = categories.get(opName);
        OpModel model = listed != null ? null : byName.get(opName);
        return model == null ? listed : model.category();
    }

    /** The family in whose sheet the operators of this name stand, or null. A pattern alone makes no place there. */
    public @Nullable String family(String opName) {
        OpModel model = byName.get(opName);
        return model == null ? null : model.family();
    }

    /** The families that have sheets of their own, in the order of those sheets. */
    public List<String> families() {
        return families;
    }

    /** Collects models; what is added later replaces what had the same name. Confined to one thread. */
    static final class Builder {
        private final ModelRules rules;
        private final Map<String, OpModel> byName = new LinkedHashMap<>();
        private final List<PatternModel> byPattern = new ArrayList<>();
        private final Map<String, String> categories = new HashMap<>();
        private final Map<String, Declaration> templates = new HashMap<>();

        Builder(ModelRules rules) {
            this.rules = rules;
        }

        /** The conventions that models are to follow. */
        ModelRules rules() {
            return rules;
        }

        void add(String opName, OpModel model) {
            byName.put(opName, model);
            categories.remove(opName);
        }

        /** Operators with such names that are not known by them. They stand in no sheet of a family. */
        void addPattern(Predicate<String> names, OpModel model) {
            byPattern.addFirst(new PatternModel(names, model));
        }

        /** The category of operators, which goes before that of a model that was added earlier. */
        void addCategory(String opName, String category) {
            categories.put(opName, category);
        }

        /** The categories that a resource under {@code models} lists: lines of a category and names. */
        void categories(String resource) {
            for (String line :
                    ElementTypes.resource(OpModels.class, "models/" + resource).split("\n")) {
                List<String> parts = List.of(line.strip().split("\\s+"));
                if (!line.startsWith("#")) {
                    parts.subList(1, parts.size()).forEach(op -> addCategory(op.replace("%20", " "), parts.getFirst()));
                }
            }
        }

        /** The models that a resource under {@code models} declares. */
        void declared(String resource) {
            declare(resource, ElementTypes.resource(OpModels.class, "models/" + resource), false);
        }

        private void declare(String source, String json, boolean check) {
            for (Declaration declaration : ModelFile.read(source, json, templates)) {
                DeclaredModel model = new DeclaredModel(declaration, rules);
                if (check) {
                    model.program();
                }
                declaration.ops().forEach(op -> add(op, model));
                if (declaration.pattern() != null) {
                    addPattern(declaration.pattern()::matches, model);
                }
            }
        }

        OpModels build() {
            return new OpModels(this);
        }
    }
}
