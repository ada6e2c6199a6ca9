// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

/** What names of the library's kernels say. */
public final class NcclKernelNames {
    private NcclKernelNames() {}

    /**
     * The operation in a name like {@code ncclDevKernel_AllReduce_Sum_f32_RING_LL(…)} or {@code ncclKernel_…}; empty when
     * it says none.
     */
    public static String collective(String name) {
        int from = name.indexOf("Kernel_");
        if (from < 0) {
            return "";
        }
        from += "Kernel_".length();
        int to = from;
        while (to < name.length() && Character.isLetter(name.charAt(to))) {
            to++;
        }
        return name.substring(from, to);
    }
}
