// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import java.util.List;
import java.util.Locale;

/** Which library can do a kernel's work again, judged by its name. */
public enum Tier {
    /** Copies and fills: the runtime. */
    RUNTIME("CUDA runtime", List.of("memcpy", "memset", "memmove")),
    /** Matrix products: the vendor's library for them. */
    MATRIX("cuBLAS", List.of("gemm", "gemv", "splitkreduce", "sm80_xmma", "volta_", "turing_", "ampere_")),
    /** Everything else: the framework. */
    FRAMEWORK("libtorch", List.of());

    private final String library;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> parts;

    Tier(String library, List<String> parts) {
        this.library = library;
        this.parts = parts;
    }

    public String library() {
        return library;
    }

    /** 1, 2 or 3. */
    public int number() {
        return ordinal() + 1;
    }

    /** The tier of a kernel of this name. */
    public static Tier of(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return RUNTIME.parts.stream().anyMatch(plain::contains)
                ? RUNTIME
                : MATRIX.parts.stream().anyMatch(plain::contains) ? MATRIX : FRAMEWORK;
    }
}
