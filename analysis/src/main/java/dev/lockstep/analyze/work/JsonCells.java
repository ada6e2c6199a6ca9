// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.ColumnNames;
import dev.lockstep.analyze.Distribution;
import dev.lockstep.codec.JsonText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Structured cells of the sheets about operators, as JSON text. */
final class JsonCells {
    private static final int SHORT_NAME = 64;
    private static final double NS_PER_US = 1000;

    private JsonCells() {}

    static String texts(List<String> texts) {
        StringBuilder out = new StringBuilder("[");
        for (String text : texts) {
            separate(out);
            JsonText.quote(text, out);
        }
        return out.append(']').toString();
    }

    static String kernels(List<KernelPosition> kernels) {
        StringBuilder out = new StringBuilder("[");
        for (KernelPosition kernel : kernels) {
            separate(out);
            Distribution d = kernel.durations();
            begin(out, kernel, kernel.name());
            if (kernel.stack() != null) {
                out.append(", \"call_stack\": ").append(kernel.stack());
            }
            out.append(", \"count\": ").append(d.count());
            us(out, ColumnNames.TOTAL_DURATION_US, (double) d.sum());
            us(out, ColumnNames.MEAN_DURATION_US, d.mean());
            us(out, "median_duration_us", d.median());
            us(out, "std_dev_duration_us", d.populationStd());
            us(out, "min_duration_us", (double) d.min());
            us(out, "max_duration_us", (double) d.max());
            out.append('}');
        }
        return out.append(']').toString();
    }

    /** Null when there are none. */
    static @Nullable String kernelsInShort(List<KernelPosition> kernels) {
        if (kernels.isEmpty()) {
            return null;
        }
        StringBuilder out = new StringBuilder("[");
        for (KernelPosition kernel : kernels) {
            separate(out);
            String name = kernel.name();
            boolean cut = name.codePointCount(0, name.length()) > SHORT_NAME;
            begin(out, kernel, cut ? name.substring(0, name.offsetByCodePoints(0, SHORT_NAME)) + "..." : name);
            out.append(", \"mean_duration_us\": ").append(kernel.shortMeanUs()).append('}');
        }
        return out.append(']').toString();
    }

    private static void begin(StringBuilder out, KernelPosition kernel, String name) {
        out.append("{\"name\": ");
        JsonText.quote(name, out);
        out.append(", \"stream\": ").append(kernel.stream());
    }

    private static void us(StringBuilder out, String key, double ns) {
        out.append(", \"").append(key).append("\": ").append(ns / NS_PER_US);
    }

    private static void separate(StringBuilder out) {
        if (out.length() > 1) {
            out.append(", ");
        }
    }
}
