// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.words;

import dev.lockstep.perfmodel.KernelName;
import dev.lockstep.perfmodel.KernelNames;
import dev.lockstep.perfmodel.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Short labels for names of kernels, as people speak of them: {@code gemm 128x256x64 bf16 tn}, {@code elementwise mul f32},
 * {@code all_reduce ring LL f32}. A label says what the name says and no more: a type or a tile that it does not tell is left out.
 * Several kernels may have one label.
 */
public final class KernelLabels {
    /** What stands behind so many characters of a name is not looked at. */
    private static final int LONGEST = 8_192;

    private static final int MOST_KNOWN = 100_000;

    private static final String GEMM = "gemm";
    private static final String BF16 = "bf16";
    private static final String F16 = "f16";
    private static final String F32 = "f32";
    private static final String F64 = "f64";
    private static final String FP8 = "fp8";

    private static final KernelNames PRODUCTS = KernelNames.standard();

    private static final Pattern NUMBER = Pattern.compile("\\d++");

    private static final Pattern COLLECTIVE =
            Pattern.compile("^(?:(?:nccl|rccl|msccl)(?:Dev)?Kernel_(?!Generic)|hcom_(?=[A-Za-z]{1,40}__))(\\w++)");
    private static final Set<String> ALGORITHMS =
            Set.of("RING", "TREE", "COLLNET", "DIRECT", "CHAIN", "NVLS", "PAT", "NVLSTREE");
    private static final Set<String> PROTOCOLS = Set.of("LL", "LL128", "SIMPLE");
    private static final Map<String, String> ELEMENTS = Map.ofEntries(
            Map.entry("float", F32),
            Map.entry(F32, F32),
            Map.entry("half", F16),
            Map.entry(F16, F16),
            Map.entry("bfloat16", BF16),
            Map.entry(BF16, BF16),
            Map.entry("double", F64),
            Map.entry(F64, F64),
            Map.entry("f8e4m3", FP8),
            Map.entry("f8e5m2", FP8));

    private static final Pattern FORWARD = Pattern.compile("fprop|conv\\w{0,40}?_?fwd|igemm_fwd");
    private static final Pattern BACKWARD_DATA = Pattern.compile("dgrad|conv\\w{0,40}?_?bwd_data|igemm_bwd");
    private static final Pattern BACKWARD_WEIGHTS = Pattern.compile("wgrad|conv\\w{0,40}?_?bwd_weight|igemm_wrw");
    private static final Pattern GEMV = Pattern.compile("gemv");
    private static final Pattern GROUPED = Pattern.compile("grouped");

    /** What kernels of known products do, in the order in which it is sought; all others multiply matrices. */
    private static final List<Map.Entry<String, Pattern>> PRODUCT_KINDS = List.of(
            Map.entry("conv_forward", FORWARD),
            Map.entry("conv_backward_data", BACKWARD_DATA),
            Map.entry("conv_backward_weights", BACKWARD_WEIGHTS),
            Map.entry("gemv", GEMV),
            Map.entry("grouped_gemm", GROUPED));

    private static final Pattern CUDNN = Pattern.compile("scudnn(?:_winograd)?_(\\d{1,6}x\\d{1,6})");

    private static final Pattern ATTENTION = Pattern.compile("(?i)flash|fmha|sdpa|attention|attn");
    private static final Pattern AROUND_ATTENTION =
            Pattern.compile("(?i)dot_do_o|convert_dq|combine|preprocess|postprocess|cache");
    private static final Pattern BACKWARD = Pattern.compile("(?i)bwd|bprop|backward");
    private static final Pattern AHEAD = Pattern.compile("(?i)fwd|fprop|forward");

    private static final Pattern INDUCTOR =
            Pattern.compile("^triton_(poi|red|per|tem|for|mm)_fused_*+(\\w+?)(?:_\\d++)?$");
    private static final Map<String, String> INDUCTOR_KINDS = Map.of(
            "poi",
            "pointwise",
            "red",
            "reduction",
            "per",
            "reduction",
            "tem",
            "template",
            "for",
            "foreach",
            "mm",
            "mm");

    /** What a functor, or the function that a lambda stands in, does: the word before these ends. */
    private static final Pattern DONE = Pattern.compile(
            "\\b(?:CUDAFunctor(?:On[A-Z][a-z]{1,9})?_(\\w++)"
                    + "|(\\w{1,80}?)(?:_kernel_cuda|_cuda_kernel|_kernel_impl|_kernel|_cuda_out|CUDAKernelImpl|KernelImpl|_functor|Functor|Ops)\\b)");

    private static final Pattern FUNCTION = Pattern.compile("\\b(\\w{1,80})\\(at::Tensor");
    private static final Set<String> ANY = Set.of("Binary", "AUnary", "BUnary", "Unary", "gpu", "opmath", "Reduce");

    private static final Pattern SOFTMAX = Pattern.compile("^(?:cunn_SoftMax|softmax_warp_)(?i:forward|backward)");

    /** Kernels whose arguments hold what they do. */
    private static final Pattern WRAPPED = Pattern.compile(
            "\\b(?:ck_tile::kentry|cutlass::device_kernel)<(?:ck_tile::gfx\\w{1,9}, )?(?:\\d{1,9}, )?(?:\\w{1,80}::){0,9}(\\w{1,80})");

    private static final Pattern LOG =
            Pattern.compile("LogSoftMax|softmax_warp_\\w{1,20}<[^<>]{0,200}?, \\d{1,3}, true");

    private static final Pattern OF_FP8 = Pattern.compile("(?i)e4m3|e5m2|float8_|fp8_");
    private static final Pattern OF_BF16 = Pattern.compile("(?i)bf16|bfloat16|bhalf");
    private static final Pattern OF_F16 =
            Pattern.compile("(?i)(?<![a-z])half|fp16|(?<![a-z])f16|_float16|\\bh(?:\\d{1,6})?gemm");
    private static final Pattern OF_C64 = Pattern.compile("(?<![a-z])g?cgemm|complex<float>");
    private static final Pattern OF_F32 = Pattern.compile("\\bfloat\\b|(?<![a-z])f32|fp32|(?<![a-z])s(?:gemm|cudnn)");
    private static final Pattern OF_F64 = Pattern.compile("\\bdouble\\b|(?<![a-z])f64|(?<![a-z])d(?:\\d{1,6})?gemm");

    /** Types in the order in which they are sought: a kernel that takes bf16 adds in f32. */
    private static final List<Map.Entry<String, Pattern>> TYPES = List.of(
            Map.entry(FP8, OF_FP8),
            Map.entry(BF16, OF_BF16),
            Map.entry(F16, OF_F16),
            Map.entry("c64", OF_C64),
            Map.entry(F32, OF_F32),
            Map.entry(F64, OF_F64));

    private static final Pattern PLAIN = Pattern.compile("(?<!unsigned )\\b(float|double|long|int|bool)\\b");
    private static final Map<String, String> PLAIN_TYPES =
            Map.of("float", F32, "double", F64, "long", "i64", "int", "i32", "bool", "bool");

    private static final Pattern NVJET = Pattern.compile("^nvjet_(?:sm\\d{2,3}_)?([a-z])");
    private static final Map<String, String> NVJET_TYPES =
            Map.of("t", BF16, "h", F16, "s", F32, "d", F64, "q", FP8, "o", FP8);
    private static final Pattern TENSILE = Pattern.compile("_B[a-z]{3}_(F8|B8|I8|[A-Z])");
    private static final Map<String, String> TENSILE_TYPES =
            Map.of("F8", FP8, "B8", FP8, "I8", "i8", "B", BF16, "H", F16, "S", F32, "D", F64, "C", "c64", "Z", "c128");

    private static final Pattern TAIL =
            Pattern.compile("(?:_cuda)?_kernel(?:_cuda)?$|(?:CUDA)?Kernel$|\\.kd$|_kernel0?_0$");

    private static final Map<String, String> KNOWN = new ConcurrentHashMap<>();

    private KernelLabels() {}

    /** The label of a kernel; the name itself where it is short already. */
    public static String of(String kernel) {
        String known = KNOWN.get(kernel);
        if (known == null) {
            known = label(kernel);
            if (KNOWN.size() < MOST_KNOWN) {
                KNOWN.put(kernel, known);
            }
        }
        return known;
    }

    private static String label(String kernel) {
        String name = ShownNames.of(kernel);
        name = name.substring(0, Math.min(name.length(), LONGEST));
        String label = collective(name);
        label = label == null ? product(name) : label;
        label = label == null ? inductor(name) : label;
        label = label == null ? attention(name) : label;
        label = label == null ? other(name) : label;
        return label.isEmpty() || label.length() > kernel.length() ? kernel : label;
    }

    // ---- communication ----

    private static @Nullable String collective(String name) {
        Matcher found = COLLECTIVE.matcher(name);
        if (!found.find()) {
            return null;
        }
        List<String> tokens = List.of(found.group(1).split("_"));
        List<String> words = new ArrayList<>(List.of(snake(tokens.getFirst())));
        tokens.stream()
                .filter(ALGORITHMS::contains)
                .map(token -> token.toLowerCase(Locale.ROOT))
                .forEach(words::add);
        tokens.stream().filter(PROTOCOLS::contains).forEach(words::add);
        tokens.stream().map(ELEMENTS::get).filter(type -> type != null).forEach(words::add);
        return String.join(" ", words);
    }

    // ---- products and attention ----

    private static @Nullable String product(String name) {
        KernelName known = PRODUCTS.of(name);
        if (known == null) {
            Matcher cudnn = CUDNN.matcher(name);
            return cudnn.find() ? "conv " + cudnn.group(1) + " " + F32 : null;
        }
        String kind = first(PRODUCT_KINDS, name);
        if (kind.isEmpty()
                && !name.contains("nvjet")
                && !name.startsWith("Cijk")
                && !name.toLowerCase(Locale.ROOT).contains(GEMM)) {
            return null;
        }
        List<String> words = new ArrayList<>(List.of(kind.isEmpty() ? GEMM : kind));
        Shape tile = known.tile();
        if (tile != null) {
            words.add(NUMBER.matcher(tile.toString())
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.joining("x")));
        }
        words.add(known.precision().isEmpty() ? typeOfProduct(name) : known.precision());
        words.add(layout(known.transposedA()) + layout(known.transposedB()));
        words.removeIf(String::isEmpty);
        return String.join(" ", words);
    }

    private static String layout(@Nullable Boolean transposed) {
        return transposed == null ? "" : transposed ? "t" : "n";
    }

    private static String typeOfProduct(String name) {
        Matcher nvjet = NVJET.matcher(name);
        if (nvjet.find()) {
            return NVJET_TYPES.getOrDefault(nvjet.group(1), "");
        }
        Matcher tensile = TENSILE.matcher(name);
        if (name.startsWith("C") && tensile.find()) {
            return TENSILE_TYPES.getOrDefault(tensile.group(1), "");
        }
        String type = type(name);
        // What Composable Kernel adds up in stands in its names, too.
        return name.contains("ck::") && type.equals(F32) ? "" : type;
    }

    /** Forward and backward passes; not what runs before or behind them. */
    private static @Nullable String attention(String name) {
        boolean backward = BACKWARD.matcher(name).find();
        if (!ATTENTION.matcher(name).find()
                || AROUND_ATTENTION.matcher(name).find()
                || !backward && !AHEAD.matcher(name).find()) {
            return null;
        }
        String what = backward ? "attention_backward" : "attention_forward";
        // cuDNN writes f16 for what has 16 bits.
        String type = name.contains("wgmma_f16") ? "" : type(name);
        return type.isEmpty() ? what : what + " " + type;
    }

    // ---- what frameworks generate and instantiate ----

    private static @Nullable String inductor(String name) {
        Matcher found = INDUCTOR.matcher(name);
        return found.find() ? "triton " + INDUCTOR_KINDS.get(found.group(1)) + " " + found.group(2) : null;
    }

    private static String other(String name) {
        boolean isSource = name.indexOf('<') >= 0 || name.indexOf('(') >= 0 || name.contains("::");
        return isSource ? ofSource(name, function(name)) : without(name);
    }

    /** A name with templates or parameters; {@code function} is its last part without them. */
    private static String ofSource(String name, String function) {
        String arguments = arguments(name, function);
        if (function.endsWith("elementwise_kernel")
                || function.contains("elementwise_kernel_")
                || function.startsWith("distribution_elementwise")) {
            return joined("elementwise", done(arguments), plainType(arguments));
        }
        if (function.equals("reduce_kernel")) {
            return joined("reduce", done(arguments), plainType(arguments));
        }
        if (function.equals("multi_tensor_apply_kernel")) {
            return joined("multi_tensor", done(arguments), plainType(arguments));
        }
        if (SOFTMAX.matcher(function).find()) {
            return joined(
                    (LOG.matcher(name).find() ? "log_softmax" : "softmax")
                            + (BACKWARD.matcher(function).find() ? "_backward" : "_forward"),
                    type(arguments));
        }
        Matcher wrapped = WRAPPED.matcher(name);
        return joined(without(wrapped.find() ? wrapped.group(1) : function), type(arguments));
    }

    /** What stands between the angle brackets behind the name of a function. */
    private static String arguments(String name, String function) {
        int from = name.indexOf(function + "<") + function.length();
        int depth = 0;
        for (int i = from; from >= function.length() && i < name.length(); i++) {
            if (name.charAt(i) == '<') {
                depth++;
            } else if (name.charAt(i) == '>' && --depth == 0) {
                return name.substring(from, i);
            }
        }
        return from < function.length() ? "" : name.substring(from);
    }

    private static String joined(String... words) {
        return Arrays.stream(words).filter(word -> !word.isEmpty()).collect(Collectors.joining(" "));
    }

    private static String without(String function) {
        String less = TAIL.matcher(function).replaceFirst("");
        return less.isEmpty() ? function : less;
    }

    /** What is done to each element. */
    private static String done(String arguments) {
        Matcher found = DONE.matcher(arguments);
        while (found.find()) {
            String word = found.group(1) != null ? found.group(1) : found.group(2);
            if (!ANY.contains(word)) {
                String what = snake(word.startsWith("gpu_") ? word.substring("gpu_".length()) : word);
                return what.endsWith("_copy") ? "copy" : what;
            }
        }
        Matcher function = FUNCTION.matcher(arguments);
        return function.find() ? snake(function.group(1)) : "";
    }

    private static String type(String text) {
        return first(TYPES, text);
    }

    /** The first of these of which the pattern is found; empty for none. */
    private static String first(List<Map.Entry<String, Pattern>> patterns, String text) {
        return patterns.stream()
                .filter(one -> one.getValue().matcher(text).find())
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** The same where integers and flags are elements, too. */
    private static String plainType(String text) {
        String type = type(text);
        Matcher plain = PLAIN.matcher(text);
        return (type.isEmpty() || type.equals(F32) || type.equals(F64)) && plain.find()
                ? PLAIN_TYPES.getOrDefault(plain.group(1), "")
                : type;
    }

    /** The last part of the name of a function, without what it returns, its namespaces, templates and parameters. */
    private static String function(String name) {
        String text = name.replace("(anonymous namespace)::", "");
        StringBuilder outside = new StringBuilder();
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(' && depth == 0) {
                break;
            }
            if (c == '<') {
                depth++;
            } else if (c == '>') {
                depth = Math.max(0, depth - 1);
            } else if (depth == 0) {
                outside.append(c);
            }
        }
        String plain = outside.toString().strip();
        plain = plain.substring(plain.lastIndexOf(' ') + 1);
        return plain.substring(plain.lastIndexOf(':') + 1);
    }

    /** Words with capitals in lower case, joined by underscores. */
    private static String snake(String word) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            boolean begins = Character.isUpperCase(c)
                    && i > 0
                    && (Character.isLowerCase(word.charAt(i - 1))
                            || i + 1 < word.length() && Character.isLowerCase(word.charAt(i + 1)));
            if (begins && text.charAt(text.length() - 1) != '_') {
                text.append('_');
            }
            text.append(Character.toLowerCase(c));
        }
        return text.toString();
    }
}
