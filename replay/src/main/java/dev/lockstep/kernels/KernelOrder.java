// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The order of unique kernels: longest sum first, most calls first, then by content, so that nothing is left to chance. */
final class KernelOrder {
    private static final Comparator<@Nullable String> TEXT = Comparator.nullsFirst(Comparator.naturalOrder());

    private static final Comparator<UniqueKernel> ORDER = Comparator.comparingLong((UniqueKernel k) ->
                    k.durations() == null ? 0 : -k.durations().sum())
            .thenComparingLong(k -> -k.calls())
            .thenComparing(k -> k.identity().name())
            .thenComparing(k -> k.identity().launch().grid(), TEXT)
            .thenComparing(k -> k.identity().launch().block(), TEXT)
            .thenComparingLong(k -> k.identity().launch().sharedMemory())
            .thenComparingLong(k -> k.identity().launch().bytes())
            .thenComparingLong(k -> k.identity().launch().registers())
            .thenComparing(k -> k.identity().operator().name(), TEXT)
            .thenComparing(k -> k.identity().operator().shapes(), TEXT)
            .thenComparing(k -> k.identity().operator().types(), TEXT)
            .thenComparing(k -> k.identity().operator().strides(), TEXT)
            .thenComparing(k -> k.places().toString());

    private KernelOrder() {}

    /** In order, and numbered anew from 1 on. */
    static List<UniqueKernel> numbered(List<UniqueKernel> kernels) {
        List<UniqueKernel> sorted = new ArrayList<>(kernels);
        sorted.sort(ORDER);
        List<UniqueKernel> numbered = new ArrayList<>(sorted.size());
        for (UniqueKernel kernel : sorted) {
            numbered.add(kernel.numbered(numbered.size() + 1));
        }
        return numbered;
    }

    /** The new numbers of kernels by the old ones, which count from 0. */
    static int[] newNumbers(List<UniqueKernel> kernels) {
        List<UniqueKernel> sorted = new ArrayList<>(kernels);
        sorted.sort(ORDER);
        int[] numbers = new int[sorted.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[sorted.get(i).number()] = i + 1;
        }
        return numbers;
    }
}
