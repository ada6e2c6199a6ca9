// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.sql;

import dev.lockstep.model.CollectiveDetails;
import dev.lockstep.model.DetailRows;
import dev.lockstep.simulate.nccl.AnnotatedKernel;
import dev.lockstep.simulate.nccl.AnnotatedKernels;
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
    private static final Map<String, Type> TYPES = Map.ofEntries(
            Map.entry("f64", new Type("Double", 8)),
            Map.entry("f32", new Type("Float", 4)),
            Map.entry("f16", new Type("Half", 2)),
            Map.entry("bf16", new Type("BFloat16", 2)),
            Map.entry("f8e4m3", new Type("Float8_e4m3fn", 1)),
            Map.entry("f8e5m2", new Type("Float8_e5m2", 1)),
            Map.entry("i64", new Type("Long", 8)),
            Map.entry("u64", new Type("UInt64", 8)),
            Map.entry("i32", new Type("Int", 4)),
            Map.entry("u32", new Type("UInt32", 4)),
            Map.entry("i8", new Type("Char", 1)),
            Map.entry("u8", new Type("Byte", 1)));
    private static final Type BYTES = new Type("Byte", 1);

    private record Type(String name, int bytes) {}

    private record Kernel(
            NsysRank rank,
            int slice,
            String name,
            long process,
            long start,
            int device,
            int stream,
            long correlation) {}

    private final AnnotatedKernels annotated;
    private final List<Kernel> kernels = new ArrayList<>();
    private final LongIntMap launched = new LongIntMap(64);

    /** @param source names the export */
    NsysCollectives(String source) {
        annotated = new AnnotatedKernels(source);
    }

    /** Takes a kernel that became a slice, if it is of the library. */
    void kernel(
            NsysRank rank,
            int slice,
            String name,
            long start,
            long end,
            long process,
            int device,
            int stream,
            long correlation) {
        if (name.startsWith(LIBRARY)) {
            kernels.add(new Kernel(rank, slice, name, process, start, device, stream, correlation));
            if (correlation >= 0) {
                launched.put(correlation, kernels.size());
            }
            annotated.kernel(start, end, process, device, stream, correlation, -1, name);
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
            AnnotatedKernel said = annotated.of(k.process, k.start, k.device, k.stream, k.correlation);
            if (said != null) {
                write(k, said);
            }
        }
    }

    private static void write(Kernel kernel, AnnotatedKernel said) {
        NsysRank rank = kernel.rank;
        Type type = type(kernel.name, said.typeBytes());
        DetailRows details = rank.builder().details(CollectiveDetails.KEY);
        details.add(kernel.slice);
        if (said.collective() != null) {
            details.text(CollectiveDetails.COLLECTIVE, rank.intern(said.collective()));
        }
        if (said.communicator() != null) {
            details.text(CollectiveDetails.GROUP_NAME, rank.intern(said.communicator()));
        }
        details.number(CollectiveDetails.GROUP_SIZE, said.ranks());
        if (said.inBytes() >= 0 || said.outBytes() >= 0) {
            details.text(CollectiveDetails.DTYPE, rank.intern(type.name));
            details.number(CollectiveDetails.IN_ELEMENTS, elements(said.inBytes(), type));
            details.number(CollectiveDetails.OUT_ELEMENTS, elements(said.outBytes(), type));
        }
    }

    private static long elements(long bytes, Type type) {
        return bytes < 0 ? -1 : bytes / type.bytes;
    }

    private static Type type(String kernel, int typeBytes) {
        Matcher named = TYPE.matcher(kernel);
        Type type = named.find() ? TYPES.get(named.group(1)) : null;
        return type != null && type.bytes == typeBytes ? type : BYTES;
    }
}
