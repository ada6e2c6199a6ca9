// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.nccl.MarkColumn;
import dev.lockstep.goal.nccl.NcclCall;
import dev.lockstep.goal.nccl.NcclProcess;
import dev.lockstep.goal.nccl.NvtxMark.GroupMark;
import dev.lockstep.goal.nccl.RecordingRules;
import dev.lockstep.goal.recording.NcclFunction;
import dev.lockstep.goal.recording.RecordingNotes;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * How the reference puts together what processes recorded: everything by time. Ranks are numbered in the order of files,
 * a mark belongs to the last call before it, so that all marks of a group are those of its last call.
 */
public final class ReferenceRules implements RecordingRules {
    @Override
    public List<NcclProcess> ranks(List<NcclProcess> asRead) {
        return asRead;
    }

    @Override
    public boolean aligned() {
        return false;
    }

    @Override
    public void match(NcclProcess process, RecordingNotes notes) {
        groups(process);
        Predicate<NcclCall> collective = call -> !message(call);
        byTime(process, collective, process.plans(), mark -> true, (call, mark) -> {
            if (call.plan() == null) {
                call.plan(mark);
            }
        });
        byTime(
                process,
                collective,
                process.works(),
                mark -> true,
                (call, mark) -> call.works().add(mark));
        byTime(
                process,
                call -> call.kind() == NcclFunction.SEND,
                process.parts(),
                mark -> mark.sent(),
                (call, mark) -> call.parts().add(mark));
        byTime(
                process,
                call -> call.kind() == NcclFunction.RECV,
                process.parts(),
                mark -> !mark.sent(),
                (call, mark) -> call.parts().add(mark));
        new ReferenceKernels(process, notes).match();
    }

    private static boolean message(NcclCall call) {
        return call.kind() == NcclFunction.SEND || call.kind() == NcclFunction.RECV;
    }

    /** Outermost groups, each from the call that opens it to the call that closes it. */
    private static void groups(NcclProcess process) {
        MarkColumn<GroupMark> marks = process.groups();
        int open = 0;
        int group = -1;
        int call = 0;
        List<NcclCall> calls = process.calls();
        for (int i = 0; i < marks.size(); i++) {
            boolean begins = marks.get(i).begins();
            while (call < calls.size() && calls.get(call).start() < marks.time(i)) {
                if (open > 0) {
                    calls.get(call).group(group);
                }
                call++;
            }
            if (begins && open++ == 0) {
                group++;
            } else if (!begins && open > 0) {
                open--;
            }
        }
    }

    private static <T> void byTime(
            NcclProcess process,
            Predicate<NcclCall> wanted,
            MarkColumn<T> marks,
            Predicate<T> about,
            BiConsumer<NcclCall, T> give) {
        List<NcclCall> calls = process.calls().stream().filter(wanted).toList();
        int next = 0;
        for (int i = 0; i < marks.size(); i++) {
            while (next < calls.size() && calls.get(next).start() <= marks.time(i)) {
                next++;
            }
            if (next > 0 && about.test(marks.get(i))) {
                give.accept(calls.get(next - 1), marks.get(i));
            }
        }
    }
}
