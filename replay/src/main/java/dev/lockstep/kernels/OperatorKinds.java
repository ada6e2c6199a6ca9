// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;

/** What operators are, where a recording has no kernels to tell by. Confined to one thread. */
final class OperatorKinds {
    private static final String UNKNOWN = "other";
    private static final String BOOKKEEPING = "bookkeeping";

    private final KernelCategories standard = KernelCategories.operators();
    private final KernelCategories categories;

    /** @param categories what the user calls them */
    OperatorKinds(KernelCategories categories) {
        this.categories = categories;
    }

    String category(String name, boolean bookkeeping) {
        String category = categories.of(name);
        return bookkeeping && category.equals(UNKNOWN) ? BOOKKEEPING : category;
    }

    /** Copies and fills, matrix products, everything else; whatever the user calls them. */
    Tier tier(String name) {
        return switch (standard.of(name)) {
            case "memcpy", "memset" -> Tier.RUNTIME;
            case "gemm" -> Tier.MATRIX;
            default -> Tier.FRAMEWORK;
        };
    }

    KernelClass use(String name, boolean communication, boolean bookkeeping) {
        if (communication) {
            return KernelClass.COMMUNICATION;
        }
        if (tier(name) == Tier.RUNTIME) {
            return KernelClass.MEMORY;
        }
        return bookkeeping || standard.of(name).equals(BOOKKEEPING) ? KernelClass.OTHER : KernelClass.COMPUTE;
    }
}
