// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.hangs.wait;

import dev.lockstep.hangs.dump.Call;
import dev.lockstep.hangs.dump.DumpedJob;
import dev.lockstep.hangs.dump.Group;
import dev.lockstep.hangs.dump.RankDump;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each rank waits in. A rank waits in the first call that it made and that is not done: what it called later queues behind it.
 */
final class Waits {
    private final DumpedJob job;
    private final int[] heads;
    private final @Nullable Operation[] operations;
    private final Map<List<Long>, Operation> collectives = new LinkedHashMap<>();
    private final Map<List<Integer>, List<int[]>> messages = new HashMap<>();
    private final List<Operation> all = new ArrayList<>();

    Waits(DumpedJob job) {
        this.job = job;
        int n = job.dumps().size();
        heads = new int[n];
        operations = new Operation[n];
        Arrays.fill(heads, -1);
        for (int d = 0; d < n; d++) {
            collect(d);
        }
        for (int d = 0; d < n; d++) {
            if (heads[d] >= 0) {
                operations[d] = job.dumps().get(d).isMessage(heads[d]) ? message(d) : collective(d);
            }
        }
    }

    /** The call in which a rank waits; -1 for none. */
    int head(int dump) {
        return heads[dump];
    }

    /** The operation in which a rank waits; null for none. */
    @Nullable
    Operation operation(int dump) {
        return operations[dump];
    }

    /** Every operation that some rank waits in, each once. */
    List<Operation> operations() {
        return all;
    }

    private void collect(int d) {
        RankDump dump = job.dumps().get(d);
        for (int i = 0; i < dump.size(); i++) {
            if (dump.isPassed(i)) {
                continue;
            }
            if (heads[d] < 0) {
                heads[d] = i;
            }
            if (dump.isMessage(i)) {
                Call call = dump.call(i);
                int group = job.groupOf(d, dump.group(i));
                for (Call part : call.parts().isEmpty() ? List.of(call) : call.parts()) {
                    messages.computeIfAbsent(key(group, dump.rank(), part, false), k -> new ArrayList<>())
                            .add(new int[] {d, i, dump.callNumber(i)});
                }
            }
        }
    }

    /** Who sends to whom; of a message or of its counterpart. */
    private List<Integer> key(int group, int rank, Call part, boolean counterpart) {
        int peer = job.groups().get(group).rankNumbered(part.peer());
        boolean sends = part.kind().equals("send");
        return List.of(group, sends ? rank : peer, sends ? peer : rank, sends == counterpart ? 1 : 0);
    }

    private Operation collective(int d) {
        RankDump dump = job.dumps().get(d);
        int number = job.groupOf(d, dump.group(heads[d]));
        long sequence = dump.sequence(heads[d]);
        Operation made = collectives.computeIfAbsent(List.of((long) number, sequence), k -> evaluate(number, sequence));
        if (made.group.slot(dump.rank()) < 0) { // a damaged dump, whose group does not name its own rank
            made.waiting.add(d);
            made.calls.add(heads[d]);
        }
        return made;
    }

    /** Whether a rank waits in this operation, of which a damaged dump may have several calls. */
    private boolean isHead(int d, int number, long sequence) {
        RankDump dump = job.dumps().get(d);
        return heads[d] >= 0
                && !dump.isMessage(heads[d])
                && dump.sequence(heads[d]) == sequence
                && job.groupOf(d, dump.group(heads[d])) == number;
    }

    private Operation evaluate(int number, long sequence) {
        Group group = job.groups().get(number);
        Operation made = new Operation(group, number, sequence, false);
        List<Integer> callers = new ArrayList<>();
        List<Call> calls = new ArrayList<>();
        for (int slot = 0; slot < group.size(); slot++) {
            int d = group.dump(slot);
            if (d < 0) {
                made.undumped.add(group.rank(slot));
                continue;
            }
            RankDump dump = job.dumps().get(d);
            int call = isHead(d, number, sequence) ? heads[d] : dump.find(group.local(slot), sequence);
            if (call < 0) {
                if (dump.enqueued(group.local(slot)) < sequence) {
                    made.absent.add(d);
                } else {
                    made.done.add(d); // the ring buffer has lost it
                }
                continue;
            }
            callers.add(d);
            calls.add(dump.call(call));
            if (dump.isPassed(call)) {
                made.done.add(d);
            } else {
                made.waiting.add(d);
                made.calls.add(call);
                if (heads[d] != call && dump.state(call) != RankDump.STARTED) {
                    made.held.add(d);
                }
            }
        }
        made.mismatch = Mismatch.of(callers, calls);
        all.add(made);
        return made;
    }

    private Operation message(int d) {
        RankDump dump = job.dumps().get(d);
        int head = heads[d];
        int number = job.groupOf(d, dump.group(head));
        Group group = job.groups().get(number);
        Operation made = new Operation(group, number, dump.sequence(head), true);
        made.waiting.add(d);
        made.calls.add(head);
        Call call = dump.call(head);
        int own = numberOf(group, dump.rank());
        for (Call part : call.parts().isEmpty() ? List.of(call) : call.parts()) {
            int peer = group.rankNumbered(part.peer());
            int slot = group.slot(peer);
            if (slot < 0) {
                continue;
            }
            int other = group.dump(slot);
            if (other < 0) {
                made.undumped.add(peer);
                continue;
            }
            List<int[]> ours = messages.getOrDefault(key(number, dump.rank(), part, false), List.of());
            List<int[]> theirs = messages.getOrDefault(key(number, dump.rank(), part, true), List.of());
            int place = 0;
            while (place < ours.size() && ours.get(place)[1] != head) {
                place++;
            }
            if (place >= theirs.size()) {
                made.absent.add(other);
                continue;
            }
            int counterpart = theirs.get(place)[1];
            RankDump of = job.dumps().get(other);
            if (counterpart != heads[other] && of.state(counterpart) != RankDump.STARTED) {
                made.held.add(other);
            }
            Call answer = part(of.call(counterpart), part, own);
            if (answer.parts().isEmpty() && made.mismatch == null) {
                made.mismatch = disagreement(d, part, other, answer);
            }
        }
        all.add(made);
        return made;
    }

    private static int numberOf(Group group, int rank) {
        for (int number = 0; number < group.size(); number++) {
            if (group.rankNumbered(number) == rank) {
                return number;
            }
        }
        return -1;
    }

    /** The part of a counterpart that goes with a message; the whole where it has several. */
    private static Call part(Call counterpart, Call message, int peer) {
        String wanted = message.kind().equals("send") ? "recv" : "send";
        List<Call> fitting = counterpart.parts().stream()
                .filter(part -> part.kind().equals(wanted) && part.peer() == peer)
                .toList();
        return fitting.size() == 1 ? fitting.getFirst() : counterpart;
    }

    private static @Nullable Mismatch disagreement(int d, Call own, int other, Call answer) {
        boolean types = !own.types().equals(answer.types());
        if (!types && own.size() == answer.size()) {
            return null;
        }
        return new Mismatch(
                types ? HangKind.OTHER_TYPE : HangKind.OTHER_SIZE,
                List.of(List.of(d), List.of(other)),
                types
                        ? List.of(own.types(), answer.types())
                        : List.of(Long.toString(own.size()), Long.toString(answer.size())));
    }
}
