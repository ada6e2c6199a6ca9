// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.inference;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What names say about the kind of work. Kernels whose names differ in digits alone have the same stem: they were built for
 * other sizes, or numbered anew. Kernels of one family do the same kind of work in other ways; a library, or an engine
 * that tries several, may choose another one in each run.
 */
final class WorkNames {
    /** No family that is known. */
    static final int NONE = -1;

    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Pattern PERSISTENT = Pattern.compile("^triton_per_");

    private static final Map<String, Pattern> OF_KERNELS = Map.of(
            "convolution",
            Pattern.compile("conv(?!ert)|winograd|im2col|igemm_(fwd|bwd|wrw)|[fdw](prop|grad)"),
            "attention",
            Pattern.compile("attention|attn|fmha|flash_?(fwd|bwd|api)|sdpa|sageat"),
            "gemm",
            Pattern.compile("gemm|gemv|cijk_|nvjet|cublas|triton_tem_\\w*mm|(^|[^a-z])(mat)?mul?mat|wvsplitk"));

    private static final Map<String, Pattern> OF_OPERATORS = Map.of(
            "convolution",
            Pattern.compile("conv(olution|\\dd)"),
            "attention",
            Pattern.compile("attention|attn"),
            "gemm",
            Pattern.compile("::(mm|bmm|addmm|baddbmm|matmul|linear|_scaled_mm|addmv|mv)$"));

    /** From the first that is found on, others are not asked: a convolution may be computed by a matrix product. */
    private static final String[] FAMILIES = {"convolution", "attention", "gemm"};

    private final Map<Integer, Integer> stems = new HashMap<>();
    private final Map<Integer, Integer> families = new HashMap<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /**
     * The number of the stem of a kernel's name.
     *
     * @param id number of the name
     */
    int stem(int id, String name) {
        return stems.computeIfAbsent(id, unknown -> numbers.computeIfAbsent(stemOf(name), stem -> numbers.size()));
    }

    /**
     * The number of the family of a kernel, {@link #NONE} where its name does not tell.
     *
     * @param id number of the name
     */
    int family(int id, String name) {
        return families.computeIfAbsent(id, unknown -> familyOf(name, OF_KERNELS));
    }

    /** The number of the family of the kernels that an operator launches for its main work, {@link #NONE} if it is unknown. */
    static int familyOfOperator(String name) {
        return familyOf(name, OF_OPERATORS);
    }

    private static String stemOf(String name) {
        return DIGITS.matcher(PERSISTENT.matcher(name).replaceFirst("triton_red_"))
                .replaceAll("#");
    }

    private static int familyOf(String name, Map<String, Pattern> patterns) {
        String lower = name.toLowerCase(Locale.ROOT);
        for (int i = 0; i < FAMILIES.length; i++) {
            Pattern pattern = patterns.get(FAMILIES[i]);
            if (pattern != null && pattern.matcher(lower).find()) {
                return i;
            }
        }
        return NONE;
    }
}
