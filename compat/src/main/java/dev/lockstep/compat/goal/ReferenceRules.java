// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.goal;

import dev.lockstep.goal.nccl.Collective;
import dev.lockstep.goal.nccl.Marks;
import dev.lockstep.goal.nccl.Notes;
import dev.lockstep.goal.nccl.RecordedCall;
import dev.lockstep.goal.nccl.RecordedMark.GroupMark;
import dev.lockstep.goal.nccl.RecordedProcess;
import dev.lockstep.goal.nccl.RecordingRules;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * How the reference puts together what processes recorded: everything by time. Ranks are numbered in the order of files,
 * a mark belongs to the last call before it, so that all marks of a group are those of its last call.
 */
public final class ReferenceRules implements RecordingRules {
    @Override
    public List<RecordedProcess> ranks(List<RecordedProcess> asRead) {
        return asRead;
    }

    @Override
    public boolean aligned() {
        return false;
    }

    @Override
    public void match(RecordedProcess process, Notes notes) {
        groups(process);
        Predicate<RecordedCall> collective = call -> !message(call);
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
                call -> call.kind() == Collective.SEND,
                process.parts(),
                mark -> mark.sent(),
                (call, mark) -> call.parts().add(mark));
        byTime(
                process,
                call -> call.kind() == Collective.RECV,
                process.parts(),
                mark -> !mark.sent(),
                (call, mark) -> call.parts().add(mark));
        new ReferenceKernels(process, notes).match();
    }

    private static boolean message(RecordedCall call) {
        return call.kind() == Collective.SEND || call.kind() == Collective.RECV;
    }

    /** Outermost groups, each from the call that opens it to the call that closes it. */
    private static void groups(RecordedProcess process) {
        Marks<GroupMark> marks = process.groups();
        int open = 0;
        int group = -1;
        int call = 0;
        List<RecordedCall> calls = process.calls();
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
            RecordedProcess process,
            Predicate<RecordedCall> wanted,
            Marks<T> marks,
            Predicate<T> about,
            BiConsumer<RecordedCall, T> give) {
        List<RecordedCall> calls = process.calls().stream().filter(wanted).toList();
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
