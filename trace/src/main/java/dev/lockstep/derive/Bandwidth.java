// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How many bytes a collective stands for, and what share of them crosses a link. Both follow the definitions of
 * <a href="https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md">nccl-tests</a>: algorithm bandwidth is
 * size over time; bus bandwidth scales it so that it can be compared with the speed of a link, whatever the collective and
 * the number of ranks.
 */
public final class Bandwidth {
    private Bandwidth() {}

    /** Bytes of an element, -1 for unknown types. Knows the names of PyTorch's scalar types and of C++. */
    public static int bytes(@Nullable String dtype) {
        if (dtype == null) {
            return -1;
        }
        String name = dtype.toLowerCase(Locale.ROOT).replace("c10::", "").replace("torch.", "");
        if (name.startsWith("float8") || name.startsWith("fp8") || name.startsWith("f8")) {
            return 1;
        }
        return switch (name) {
            case "byte", "char", "bool", "uint8", "int8", "unsigned char", "signed char", "qint8", "quint8" -> 1;
            case "half", "bfloat16", "short", "float16", "int16", "uint16", "short int" -> 2;
            case "float", "int", "float32", "int32", "uint32", "qint32", "complexhalf", "complex<half>" -> 4;
            case "double",
                    "long",
                    "float64",
                    "int64",
                    "uint64",
                    "long int",
                    "complexfloat",
                    "complex64",
                    "complex<float>" -> 8;
            case "complexdouble", "complex128", "complex<double>" -> 16;
            default -> -1;
        };
    }

    /**
     * The size of a collective as nccl-tests counts it, in bytes: all that ends up on a rank of an all-gather, all that
     * a rank puts into the others; -1 when unknown, or when it does not fit into a long.
     *
     * @param n members of the group, -1 when unknown
     */
    public static long size(CollectiveCall call, long n) {
        int bytes = bytes(call.dtype());
        long in = call.inElements();
        long out = call.outElements();
        long elements = switch (call.kind()) {
            case ALL_REDUCE, REDUCE_SCATTER, ALL_TO_ALL, ALL_TO_ALL_V, REDUCE, SEND, SEND_RECEIVE -> in >= 0 ? in : out;
            case ALL_GATHER -> out >= 0 && (in < 0 || out > in) ? out : n > 0 && in >= 0 ? product(in, n) : out;
            case GATHER -> n > 0 && in >= 0 ? product(in, n) : out;
            case SCATTER -> n > 0 && out >= 0 ? product(out, n) : in;
            case BROADCAST, RECEIVE -> out >= 0 ? out : in;
            case BARRIER, OTHER -> -1;
        };
        return bytes < 0 || elements < 0 ? -1 : product(elements, bytes);
    }

    /** Of numbers of at least 0; -1 where it does not fit. */
    private static long product(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 ? Math.max(-1, a * b) : -1;
    }

    /** What the algorithm bandwidth is multiplied by to get that of the bus; NaN when unknown. */
    public static double busFactor(CollectiveKind kind, long n) {
        return switch (kind) {
            case ALL_REDUCE -> n < 1 ? Double.NaN : 2.0 * (n - 1) / n;
            case REDUCE_SCATTER, ALL_GATHER, ALL_TO_ALL, ALL_TO_ALL_V, GATHER, SCATTER ->
                n < 1 ? Double.NaN : (n - 1.0) / n;
            case BROADCAST, REDUCE, SEND, RECEIVE, SEND_RECEIVE -> 1;
            case BARRIER, OTHER -> Double.NaN;
        };
    }
}
