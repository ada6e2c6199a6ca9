// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.derive.Bandwidth;
import dev.lockstep.goal.nccl.AnnotatedKernel;
import dev.lockstep.goal.nccl.AnnotatedKernels;
import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What an annotated NCCL says about its kernels, as details of collectives. Element types are those that kernels of
 * reductions are named after; where nothing names them, elements are bytes.
 */
final class NsysCollectives {
    private static final String LIBRARY = "nccl";
    private static final Pattern TYPE =
            Pattern.compile("_(?:Sum|Prod|Max|Min|MinMax|PreMulSum|SumPostDiv)_([a-z0-9]+)");
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("f64", "Double"),
            Map.entry("f32", "Float"),
            Map.entry("f16", "Half"),
            Map.entry("bf16", "BFloat16"),
            Map.entry("f8e4m3", "Float8_e4m3fn"),
            Map.entry("f8e5m2", "Float8_e5m2"),
            Map.entry("i64", "Long"),
            Map.entry("u64", "UInt64"),
            Map.entry("i32", "Int"),
            Map.entry("u32", "UInt32"),
            Map.entry("i8", "Char"),
            Map.entry("u8", "Byte"));
    private static final String BYTES = "Byte";

    private record Kernel(NsysRank rank, int slice, NsysKernel row) {}

    private final AnnotatedKernels annotated;
    private final List<Kernel> kernels = new ArrayList<>();
    private final LongIntMap launched = new LongIntMap(64);

    /** @param source names the export */
    NsysCollectives(String source) {
        annotated = new AnnotatedKernels(source);
    }

    /** Takes a kernel that became a slice, if it is of the library. */
    void kernel(NsysRank rank, int slice, NsysKernel kernel) {
        if (kernel.name().startsWith(LIBRARY)) {
            kernels.add(new Kernel(rank, slice, kernel));
            if (kernel.correlation() >= 0) {
                launched.put(kernel.correlation(), kernels.size());
            }
            annotated.kernel(kernel);
        }
    }

    /** Takes a call of the runtime. */
    void call(long start, long end, long thread, long correlation) {
        if (!kernels.isEmpty() && correlation >= 0 && launched.get(correlation) >= 0) {
            annotated.launch(start, end, thread, correlation);
        }
    }

    /** Takes an annotation. */
    void annotation(long start, long end, long thread, String text) {
        if (!kernels.isEmpty()) {
            annotated.annotation(start, end, thread, text);
        }
    }

    /** Adds details to all kernels of which something is known; everything else has been read. */
    void write() {
        for (Kernel k : kernels) {
            AnnotatedKernel said = annotated.of(k.row);
            if (said != null) {
                write(k, said);
            }
        }
    }

    private static void write(Kernel kernel, AnnotatedKernel said) {
        NsysRank rank = kernel.rank;
        String type = type(kernel.row.name(), said.typeBytes());
        DetailRows details = rank.builder().details(CollectiveDetails.KEY);
        details.add(kernel.slice);
        if (said.collective() != null) {
            details.text(CollectiveDetails.COLLECTIVE, rank.intern(said.collective()));
        }
        if (said.communicator() != null && !said.communicator().equals(NcclPayloads.NO_COMMUNICATOR)) {
            details.text(CollectiveDetails.GROUP_NAME, rank.intern(said.communicator()));
        }
        details.number(CollectiveDetails.GROUP_SIZE, said.ranks());
        if (said.inBytes() >= 0 || said.outBytes() >= 0) {
            details.text(CollectiveDetails.DTYPE, rank.intern(type));
            details.number(CollectiveDetails.IN_ELEMENTS, elements(said.inBytes(), type));
            details.number(CollectiveDetails.OUT_ELEMENTS, elements(said.outBytes(), type));
        }
    }

    private static long elements(long bytes, String type) {
        return bytes < 0 ? -1 : bytes / Bandwidth.bytes(type);
    }

    private static String type(String kernel, int typeBytes) {
        Matcher named = TYPE.matcher(kernel);
        String type = named.find() ? TYPES.get(named.group(1)) : null;
        return type != null && Bandwidth.bytes(type) == typeBytes ? type : BYTES;
    }
}
