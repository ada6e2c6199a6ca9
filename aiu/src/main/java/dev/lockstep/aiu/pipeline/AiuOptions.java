// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is wanted of a run of the AIU pipeline: values of {@link AiuOption}s, and rules. Made by {@link #of} or a {@link Builder};
 * nothing changes it.
 */
public final class AiuOptions {
    /** Counters that can be asked for. */
    public static final List<String> NAMES_OF_COUNTERS =
            List.of("power_ts4", "power_ts3", "coll_bw", "bandwidth", "prep_queue", "rcu_util");

    /** Counters that are made when none are named. */
    public static final List<String> USUAL_COUNTERS = List.of("power_ts4", "coll_bw", "prep_queue", "rcu_util");

    private final Map<AiuOption<?>, Object> values;
    private final AiuRules rules;

    private AiuOptions(Map<AiuOption<?>, Object> values, AiuRules rules) {
        this.values = Map.copyOf(values);
        this.rules = rules;
    }

    /** The usual options for these files or patterns, separated by commas or blanks. */
    public static AiuOptions of(String input) {
        return new Builder().with(AiuOption.INPUT, input).build();
    }

    /** The value of an option that has one, the usual one where it is not given. */
    public <T> T get(AiuOption<T> option) {
        return Objects.requireNonNull(orNull(option));
    }

    /** The value of an option; null where it is not given and then has none. */
    @SuppressWarnings("unchecked") // the builder takes no others
    public <T> @Nullable T orNull(AiuOption<T> option) {
        T given = (T) values.get(option);
        return given == null ? option.usual() : given;
    }

    /** How stages decide what other tools decide differently. */
    public AiuRules rules() {
        return rules;
    }

    /** A builder that begins with these options. */
    public Builder toBuilder() {
        Builder builder = new Builder().rules(rules);
        builder.values.putAll(values);
        return builder;
    }

    /** The file that the result goes to, and from whose name those of side files derive. */
    public String target() {
        String output = orNull(AiuOption.OUTPUT);
        if (output != null) {
            return output;
        }
        return get(AiuOption.REFINE) ? "processed_trace.pt.trace.json" : "processed_trace.json";
    }

    /** Whether the result is for TensorBoard. */
    public boolean writesTensorBoard() {
        return get(AiuOption.TENSOR_BOARD) && get(AiuOption.REFINE);
    }

    /** Whether a counter is made. */
    public boolean counts(String counter) {
        List<String> counters = orNull(AiuOption.COUNTERS);
        return (counters == null ? USUAL_COUNTERS : counters).contains(counter);
    }

    /** The profile in force: a file, or the name of a bundled one. */
    public String profileName() {
        String profile = orNull(AiuOption.PROFILE);
        if (profile != null) {
            return profile;
        }
        if (get(AiuOption.VERIFY)) {
            return "verification.json";
        }
        return get(AiuOption.TENSOR_BOARD) ? "torch_minimal.json" : "default.json";
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AiuOptions options && options.values.equals(values) && options.rules.equals(rules);
    }

    @Override
    public int hashCode() {
        return Objects.hash(values, rules);
    }

    /** Collects options. */
    public static final class Builder {
        private final Map<AiuOption<?>, Object> values = new HashMap<>();
        private AiuRules rules = AiuRules.OWN;

        public Builder() {}

        /** Sets an option. */
        public <T> Builder with(AiuOption<T> option, T value) {
            values.put(option, value instanceof List<?> list ? List.copyOf(list) : value);
            return this;
        }

        /** Whether an option is set. */
        public boolean has(AiuOption<?> option) {
            return values.containsKey(option);
        }

        public Builder rules(AiuRules value) {
            rules = value;
            return this;
        }

        public AiuOptions build() {
            return new AiuOptions(values, rules);
        }
    }
}
