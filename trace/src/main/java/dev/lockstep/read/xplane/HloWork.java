// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The floating-point operations of an instruction, of those in the computations that it calls, too: two for each product of
 * elements in a product of matrices or a convolution. What else an instruction does counts as nothing. Of
 * {@code HloInstructionProto} this is read besides: 16 convolution_dimension_numbers (4 kernel_output_feature_dimension),
 * 30 dot_dimension_numbers (1 lhs_contracting_dimensions), 43 backend_config.
 */
final class HloWork {
    private static final int OPCODE = 2 << 3 | 2;
    private static final int SHAPE = 3 << 3 | 2;
    private static final int CONVOLUTION = 16 << 3 | 2;
    private static final int TARGET = 28 << 3 | 2;
    private static final int DOT = 30 << 3 | 2;
    private static final int OPERANDS = 36 << 3 | 2;
    private static final int OPERAND = 36 << 3;
    private static final int CALLED = 38 << 3 | 2;
    private static final int CALLED_ONE = 38 << 3;
    private static final int CONFIGURATION = 43 << 3 | 2;
    private static final int CONTRACTED = 1 << 3 | 2;
    private static final int CONTRACTED_ONE = 1 << 3;
    private static final int OUTPUT_FEATURE = 4 << 3;
    private static final int DEEPEST = 8;

    /** Numbers in JSON that a compiler wrote, with or without quotes. */
    private static final Pattern IN_CONFIGURATION =
            Pattern.compile("\"lhs_contracting_dimensions\"\\s*+:\\s*+\\[([\\d\",\\s]*+)\\]");

    private static final Pattern MATRICES = Pattern.compile("(?i)gemm|matmul");

    /** A program whose calls lead to more is not followed any further. */
    private static final int MOST_READ = 1 << 16;

    private final HloModule module;
    private int read;

    /** What an instruction says of its work. Read once for each. */
    private static final class Said {
        private String opcode = "";
        private String shape = "";
        private String target = "";
        private String configuration = "";
        private final List<String> operands = new ArrayList<>();
        private final LongList contracted = new LongList(8);
        private final LongList called = new LongList(8);
        private int outputFeature;
    }

    HloWork(HloModule module) {
        this.module = module;
    }

    /** @param depth how many calls are around it */
    long flops(long place, HloModule.Computation computation, int depth) throws Damaged {
        if (++read > MOST_READ) {
            return 0;
        }
        Said said = read(place, computation);
        if (said.opcode.equals("dot")) {
            return dot(said);
        }
        if (said.opcode.equals("convolution")) {
            return convolution(said, said.shape, operand(said, 1));
        }
        if (said.opcode.equals("custom-call")) {
            return custom(said);
        }
        long sum = 0;
        for (int i = 0; i < said.called.size() && depth < DEEPEST && isAround(said.opcode); i++) {
            HloModule.Computation inner = module.called(said.called.get(i));
            for (int k = 0; inner != null && k < inner.places().size(); k++) {
                sum += flops(inner.places().get(k), inner, depth + 1);
            }
        }
        return Math.max(0, sum);
    }

    /** Whether what is called runs once for each run of the instruction. */
    private static boolean isAround(String opcode) {
        return opcode.equals("fusion") || opcode.equals("call") || opcode.equals("async-start");
    }

    private Said read(long place, HloModule.Computation computation) throws Damaged {
        Said said = new Said();
        ProtoCursor c = module.at(place);
        for (int tag = c.tag(); tag != 0; tag = c.tag()) {
            switch (tag) {
                case OPCODE -> said.opcode = c.text();
                case SHAPE -> said.shape = HloShape.read(c);
                case TARGET -> said.target = c.text();
                case CONFIGURATION -> said.configuration = c.text();
                case OPERANDS, OPERAND -> module.operands(tag, c, computation, said.operands);
                case CALLED, CALLED_ONE -> c.numbers(tag, said.called::add);
                case DOT -> {
                    int outer = c.enter();
                    for (int field = c.tag(); field != 0; field = c.tag()) {
                        if (field == CONTRACTED || field == CONTRACTED_ONE) {
                            c.numbers(field, said.contracted::add);
                        } else {
                            c.skipField(field);
                        }
                    }
                    c.leave(outer);
                }
                case CONVOLUTION -> {
                    int outer = c.enter();
                    for (int field = c.tag(); field != 0; field = c.tag()) {
                        if (field == OUTPUT_FEATURE) {
                            said.outputFeature = (int) c.varint();
                        } else {
                            c.skipField(field);
                        }
                    }
                    c.leave(outer);
                }
                default -> c.skipField(tag);
            }
        }
        return said;
    }

    private static String operand(Said said, int place) {
        return place < said.operands.size() ? said.operands.get(place) : "";
    }

    private static long dot(Said said) {
        long[] left = HloShape.dimensions(operand(said, 0));
        long[] result = HloShape.dimensions(said.shape);
        if (left == null || result == null) {
            return 0;
        }
        long[] factors = new long[said.contracted.size()];
        for (int i = 0; i < factors.length; i++) {
            long axis = said.contracted.get(i);
            factors[i] = axis >= 0 && axis < left.length ? left[(int) axis] : 0;
        }
        return twice(HloShape.product(result), HloShape.product(factors));
    }

    /** @param kernel type of the weights: each result takes all of them but those of other output features */
    private static long convolution(Said said, String result, String kernel) {
        long[] results = HloShape.dimensions(result);
        long[] weights = HloShape.dimensions(kernel);
        if (results == null || weights == null || said.outputFeature < 0 || said.outputFeature >= weights.length) {
            return 0;
        }
        weights[said.outputFeature] = 1;
        return twice(HloShape.product(results), HloShape.product(weights));
    }

    private static long custom(Said said) {
        if (said.target.contains("convForward") || said.target.contains("convBiasActivationForward")) {
            return convolution(said, said.shape, operand(said, 1));
        }
        if (said.target.contains("convBackwardInput")) {
            return convolution(said, operand(said, 0), operand(said, 1));
        }
        if (said.target.contains("convBackwardFilter")) {
            return convolution(said, operand(said, 1), said.shape);
        }
        if (MATRICES.matcher(said.target).find()) {
            Matcher matcher = IN_CONFIGURATION.matcher(said.configuration);
            if (matcher.find()) {
                for (String number : matcher.group(1).replaceAll("[\"\\s]", "").split(",")) {
                    said.contracted.add(number.matches("\\d{1,9}") ? Long.parseLong(number) : -1);
                }
                return dot(said);
            }
        }
        return 0;
    }

    /** 0 where a number is not known or the product does not fit. */
    private static long twice(long a, long b) {
        boolean fits = a > 0 && b > 0 && Math.multiplyHigh(a, b) == 0 && a * b > 0 && a * b < Long.MAX_VALUE / 4;
        return fits ? 2 * a * b : 0;
    }
}
