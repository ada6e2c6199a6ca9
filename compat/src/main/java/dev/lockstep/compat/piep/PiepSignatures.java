// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.piep;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Items;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.codec.Json.Numeral;
import dev.lockstep.codec.Json.Text;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.kernels.Tier;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Unique kernels in piep's three tiers, with the parameters that its benchmark replays them with: sizes of matrix products
 * are those of the layers that occur most often, whatever the kernel was launched for.
 */
final class PiepSignatures {
    private static final Pattern TILE = Pattern.compile("(?<!\\d)(\\d{1,18})x(\\d{1,18})");
    private static final Items ONES = new Items(List.of(new Numeral("1"), new Numeral("1"), new Numeral("1")));
    private static final int SMALL = 10;

    /** Parts of names and the operation that they mean; the first that is found counts. */
    private static final List<List<String>> OPERATIONS = List.of(
            List.of("layer_norm", "layer_norm"),
            List.of("softmax", "softmax"),
            List.of("index_select", "indexselect", "index_select"),
            List.of("gelu", "gelu"),
            List.of("reduce", "reduce_kernel", "reduction_prod_kernel", "argmax", "maxnan"),
            List.of("scan", "scan"),
            List.of("add", "cudafunctor_add", "cudafunctoronself_add", "cudafunctoronother_add"),
            List.of("mul", "mulfunctor"));

    private record Product(long m, long k, long n) {}

    private static final class Sum {
        private int unique;
        private long calls;
    }

    private PiepSignatures() {}

    /**
     * Classifies a list of unique kernels.
     *
     * @param shapes a log of the shapes of linear layers, or null
     */
    public static void write(Path unique, @Nullable Path shapes, Path target) throws IOException {
        List<Product> products = shapes == null ? List.of() : products(shapes);
        List<Json> kernels = new ArrayList<>();
        Map<Tier, Sum> sums = new LinkedHashMap<>();
        for (Tier tier : Tier.values()) {
            sums.put(tier, new Sum());
        }
        for (Members kernel : objects(unique)) {
            String name = kernel.text("name") == null ? "" : String.valueOf(kernel.text("name"));
            Tier tier = Tier.of(name);
            Sum sum = sums.get(tier);
            if (sum != null) {
                sum.unique++;
                sum.calls += kernel.whole("count", 0);
            }
            Map<String, Json> entry = new LinkedHashMap<>();
            entry.put("name", new Text(name));
            entry.put("tier", whole(tier.number()));
            entry.put("count", kernel.members().getOrDefault("count", whole(0)));
            entry.put("signature", kernel.object("signature"));
            entry.put("params", parameters(tier, name, kernel, products));
            kernels.add(new Members(entry));
        }
        Map<String, Json> document = new LinkedHashMap<>();
        document.put("summary", summary(kernels.size(), sums));
        document.put("kernels", new Items(kernels));
        NamedFiles.write(target, PythonJson.indented(new Members(document), false));
    }

    /** The objects of a file that has one on each line. */
    private static List<Members> objects(Path file) throws IOException {
        List<Members> objects = new ArrayList<>();
        int number = 0;
        for (String line : NamedFiles.lines(file)) {
            number++;
            try {
                if (!line.isBlank() && Json.parse(line) instanceof Members object) {
                    objects.add(object);
                }
            } catch (JsonProcessingException e) {
                throw new TraceFormatException(
                        ErrorCode.FORMAT_CORRUPT,
                        file.toString(),
                        -1,
                        "line " + number + ": " + Json.problem(e),
                        "Expected JSON on each line (.jsonl).");
            }
        }
        return objects;
    }

    private static Members summary(int total, Map<Tier, Sum> sums) {
        long calls = sums.values().stream().mapToLong(s -> s.calls).sum();
        Map<String, Json> summary = new LinkedHashMap<>();
        summary.put("total_kernels", whole(total));
        String[] names = {"tier1_cuda_runtime", "tier2_cublas", "tier3_libtorch"};
        sums.forEach((tier, sum) -> {
            Map<String, Json> one = new LinkedHashMap<>();
            one.put("unique", whole(sum.unique));
            one.put("invocations", whole(sum.calls));
            one.put("percentage", new Text(percent(sum.calls, calls)));
            summary.put(names[tier.ordinal()], new Members(one));
        });
        return new Members(summary);
    }

    private static String percent(long part, long whole) {
        double share = whole == 0 ? 0 : 100.0 * part / whole;
        return new BigDecimal(share).setScale(1, RoundingMode.HALF_EVEN).toPlainString() + "%";
    }

    private static Members parameters(Tier tier, String name, Members kernel, List<Product> products) {
        return switch (tier) {
            case RUNTIME -> copy(name, kernel);
            case MATRIX -> product(name, kernel.object("signature"), products);
            case FRAMEWORK -> {
                Map<String, Json> parameters = launch(kernel.object("signature"));
                parameters.put("operation", new Text(operation(name)));
                yield new Members(parameters);
            }
        };
    }

    private static Members copy(String name, Members kernel) {
        Json bytes = kernel.object("args").get("bytes");
        if (bytes == null) {
            bytes = kernel.object("signature").members().getOrDefault("bytes", whole(0));
        }
        String kind = "unknown";
        if (name.contains("HtoD") || name.contains("Host") && name.contains("Device")) {
            kind = "HtoD";
        } else if (name.contains("DtoH")) {
            kind = "DtoH";
        } else if (name.contains("DtoD") || name.contains("Device -> Device")) {
            kind = "DtoD";
        } else if (name.toLowerCase(Locale.ROOT).contains("memset")) {
            kind = "memset";
        }
        Map<String, Json> parameters = new LinkedHashMap<>();
        parameters.put("bytes", bytes);
        parameters.put("kind", new Text(kind));
        return new Members(parameters);
    }

    private static Members product(String name, Members signature, List<Product> products) {
        Map<String, Json> parameters = launch(signature);
        parameters.put("dtype", new Text("fp16"));
        Matcher tile = TILE.matcher(name);
        boolean tiled = tile.find();
        if (tiled) {
            parameters.put("tile_m", new Numeral(Long.toString(Long.parseLong(tile.group(1)))));
            parameters.put("tile_n", new Numeral(Long.toString(Long.parseLong(tile.group(2)))));
        }
        boolean vector = name.toLowerCase(Locale.ROOT).contains("gemv");
        Product shape = products.stream()
                .filter(p -> !vector || p.m <= SMALL)
                .findFirst()
                .orElse(null);
        if (shape != null) {
            parameters.put("M", whole(shape.m));
            parameters.put("K", whole(shape.k));
            parameters.put("N", whole(vector ? 1 : shape.n));
        } else if (tiled && signature.get("grid") instanceof Items(List<Json> grid) && grid.size() > 1) {
            parameters.put("M", whole(times(grid.get(0), tile.group(1))));
            parameters.put("N", whole(times(grid.get(1), tile.group(2))));
            parameters.put("K", whole(1024));
        }
        return new Members(parameters);
    }

    private static long times(Json blocks, String tile) {
        return blocks instanceof Numeral numeral ? Math.round(numeral.value()) * Long.parseLong(tile) : 0;
    }

    private static Map<String, Json> launch(Members signature) {
        Map<String, Json> parameters = new LinkedHashMap<>();
        parameters.put("grid", signature.members().getOrDefault("grid", ONES));
        parameters.put("block", signature.members().getOrDefault("block", ONES));
        parameters.put("shared_memory", signature.members().getOrDefault("shared memory", whole(0)));
        return parameters;
    }

    private static String operation(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        for (List<String> rule : OPERATIONS) {
            if (rule.subList(1, rule.size()).stream().anyMatch(plain::contains)) {
                return rule.getFirst();
            }
            if (rule.getFirst().equals("add") && plain.contains("add") && plain.contains("cudafunctor")) {
                return "add";
            }
            if (rule.getFirst().equals("mul")
                    && plain.contains("mul")
                    && (plain.contains("binaryfunctor") || plain.contains("bunaryfunctor"))) {
                return "mul";
            }
        }
        if (plain.contains("fillfunctor")) {
            return "fill";
        }
        boolean elementwise = List.of(
                        "direct_copy",
                        "masked_fill",
                        "compare",
                        "bunaryfunctor",
                        "tanh",
                        "arange",
                        "pow_tensor",
                        "catarray",
                        "catarr",
                        "elementwise")
                .stream()
                .anyMatch(plain::contains);
        return elementwise ? "elementwise" : "unknown";
    }

    /** Products of linear layers, most frequent first, of equally frequent ones the first first. */
    private static List<Product> products(Path shapes) throws IOException {
        Map<Product, Integer> counts = new LinkedHashMap<>();
        for (Members layer : objects(shapes)) {
            if ("Linear".equals(layer.text("module"))) {
                List<Json> in = layer.items("in_shape");
                List<Json> out = layer.items("out_shape");
                if (in.size() > 2 && out.size() > 2) {
                    counts.merge(new Product(at(in, 0) * at(in, 1), at(in, 2), at(out, 2)), 1, Integer::sum);
                }
            }
        }
        List<Map.Entry<Product, Integer>> order = new ArrayList<>(counts.entrySet());
        order.sort(Map.Entry.<Product, Integer>comparingByValue().reversed());
        return order.stream().map(Map.Entry::getKey).toList();
    }

    private static long at(List<Json> shape, int place) {
        return shape.get(place) instanceof Numeral numeral ? Math.round(numeral.value()) : 0;
    }

    private static Numeral whole(long value) {
        return new Numeral(Long.toString(value));
    }
}
