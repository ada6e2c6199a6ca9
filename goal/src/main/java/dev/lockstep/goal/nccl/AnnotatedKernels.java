// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.Scopes.Unit;
import dev.lockstep.goal.recording.RecordingNotes;
import dev.lockstep.read.nsys.NsysKernel;
import dev.lockstep.read.nsys.NsysRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds what the library's annotations say about its kernels. Takes the rows of one export, then answers. Confined to one
 * thread.
 */
public final class AnnotatedKernels implements NsysRows {
    private record Key(long process, long start, int device, int stream, long correlation) {
        static Key of(long process, NsysKernel kernel) {
            return new Key(process, kernel.start(), kernel.device(), kernel.stream(), kernel.correlation());
        }
    }

    private final AnnotationReader reader;
    private final RecordingNotes notes = new RecordingNotes();
    private final Map<Key, AnnotatedKernel> known = new HashMap<>();
    private boolean matched;

    /** @param source names the export */
    public AnnotatedKernels(String source) {
        reader = new AnnotationReader(source, source, null, notes);
    }

    @Override
    public void annotation(long start, long end, long globalThread, String text) {
        reader.annotation(start, end, globalThread, text);
    }

    @Override
    public void kernel(NsysKernel kernel) {
        reader.kernel(kernel);
    }

    @Override
    public void launch(long start, long end, long globalThread, long correlation) {
        reader.launch(start, end, globalThread, correlation);
    }

    /** What is said about a kernel; null if nothing is. */
    public @Nullable AnnotatedKernel of(NsysKernel kernel) {
        if (!matched) {
            matched = true;
            reader.processes().forEach(this::match);
        }
        return known.get(Key.of(NsysRows.processOf(kernel.globalProcess()), kernel));
    }

    private void match(NcclProcess process) {
        if (process.calls().isEmpty()) {
            return;
        }
        Scopes scopes = Scopes.of(process);
        AnnotatedMembers members = new AnnotatedMembers(process.members);
        Map<Unit, List<NsysKernel>> byUnit = new LinkedHashMap<>();
        new KernelMatching(
                        process,
                        scopes,
                        notes,
                        (unit, kernel) -> byUnit.computeIfAbsent(unit, u -> new ArrayList<>(1))
                                .add(kernel))
                .run();
        byUnit.forEach((unit, kernels) -> tell(process.pid(), unit.calls, kernels, members));
    }

    /** One kernel carries out all calls, or each its own; else it is not known which does what. */
    private void tell(long process, List<NcclCall> calls, List<NsysKernel> kernels, AnnotatedMembers members) {
        if (kernels.size() > 1 && kernels.size() != calls.size()) {
            return;
        }
        kernels.sort(Comparator.comparingLong(NsysKernel::start));
        for (int i = 0; i < kernels.size(); i++) {
            NsysKernel k = kernels.get(i);
            known.put(
                    Key.of(process, k),
                    AnnotatedKernel.of(kernels.size() == 1 ? calls : calls.subList(i, i + 1), members));
        }
    }
}
