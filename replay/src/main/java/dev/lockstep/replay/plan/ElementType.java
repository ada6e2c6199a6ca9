// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Element types of tensors, with the numbers and names by which the framework knows them. */
public enum ElementType {
    UINT8(0, 1, "uint8", "unsigned char", "Byte"),
    INT8(1, 1, "int8", "signed char", "Char"),
    INT16(2, 2, "int16", "short", "short int", "Short"),
    INT32(3, 4, "int32", "int", "Int"),
    INT64(4, 8, "int64", "long int", "long", "long long", "Long"),
    FLOAT16(5, 2, "float16", "c10::Half", "Half"),
    FLOAT32(6, 4, "float32", "float", "Float"),
    FLOAT64(7, 8, "float64", "double", "Double"),
    COMPLEX32(8, 4, "complex32", "c10::complex<c10::Half>", "ComplexHalf"),
    COMPLEX64(9, 8, "complex64", "c10::complex<float>", "ComplexFloat"),
    COMPLEX128(10, 16, "complex128", "c10::complex<double>", "ComplexDouble"),
    BOOL(11, 1, "bool", "Bool"),
    BFLOAT16(15, 2, "bfloat16", "c10::BFloat16", "BFloat16"),
    FLOAT8_E5M2(23, 1, "float8_e5m2", "c10::Float8_e5m2", "Float8_e5m2"),
    FLOAT8_E4M3FN(24, 1, "float8_e4m3fn", "c10::Float8_e4m3fn", "Float8_e4m3fn"),
    FLOAT8_E5M2FNUZ(25, 1, "float8_e5m2fnuz", "c10::Float8_e5m2fnuz", "Float8_e5m2fnuz"),
    FLOAT8_E4M3FNUZ(26, 1, "float8_e4m3fnuz", "c10::Float8_e4m3fnuz", "Float8_e4m3fnuz"),
    UINT16(27, 2, "uint16", "unsigned short", "short unsigned int", "UInt16"),
    UINT32(28, 4, "uint32", "unsigned int", "UInt32"),
    UINT64(29, 8, "uint64", "unsigned long", "long unsigned int", "UInt64");

    private static final Map<String, ElementType> BY_NAME = byName();

    private final int code;
    private final int size;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> names;

    ElementType(int code, int size, String... names) {
        this.code = code;
        this.size = size;
        this.names = List.of(names);
    }

    private static Map<String, ElementType> byName() {
        Map<String, ElementType> found = new HashMap<>();
        Arrays.stream(values()).forEach(type -> type.names.forEach(name -> found.put(name, type)));
        return Map.copyOf(found);
    }

    /** The type that profilers, schemas or plans spell like this; null when it is unknown. */
    public static @Nullable ElementType named(String name) {
        return BY_NAME.get(name);
    }

    /** The framework's number of the type, as it stands in recorded arguments. */
    public int code() {
        return code;
    }

    /** Bytes of one element. */
    public int size() {
        return size;
    }

    /** The name in plans, which is the framework's in Python. */
    public String spelling() {
        return names.getFirst();
    }

    /** The name in traces of the profiler. */
    String recorded() {
        return this == BOOL ? names.getFirst() : names.get(1);
    }

    /** Whether values are floating-point or complex numbers. */
    public boolean isFloating() {
        return this != BOOL && code >= FLOAT16.code && code <= FLOAT8_E4M3FNUZ.code;
    }

    /** Whether values have fewer bits than single precision. */
    public boolean isReduced() {
        return isFloating() && size < FLOAT32.size;
    }
}
