// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.recording.NcclFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of the calls behind a kernel say about it. Sizes are in bytes, -1 where a kernel carries out what
 * cannot be added up: different collectives, or those of several communicators.
 *
 * @param collective what it does, as {@code AllReduce}; {@code SendRecv} for sends and receives together; null if different
 *     things
 * @param communicator its id, null if there are several
 * @param rank of the process in the communicator, -1 if it did not announce itself
 * @param ranks of the communicator, -1 likewise
 * @param typeBytes size of an element, -1 if different
 * @param inBytes what this rank puts in
 * @param outBytes what this rank gets out
 * @param peer the other side as rank of the communicator, -1 unless the kernel is a single message
 */
public record AnnotatedKernel(
        @Nullable String collective,
        @Nullable String communicator,
        int rank,
        int ranks,
        int typeBytes,
        long inBytes,
        long outBytes,
        int peer) {
    private static final String MESSAGES = "SendRecv";

    /** Sums up calls that one kernel carried out. */
    static AnnotatedKernel of(List<NcclCall> calls, AnnotatedMembers members) {
        NcclCall first = calls.getFirst();
        AnnotatedMembers.Member member = members.of(first.communicator());
        boolean one = calls.stream().allMatch(call -> call.communicator().equals(first.communicator()));
        String collective = collective(calls);
        boolean added = one && collective != null;
        long in = 0;
        long out = 0;
        for (NcclCall call : calls) {
            long input = in(call, member.ranks());
            long output = out(call, member.ranks());
            in = sum(in, input);
            out = sum(out, output);
        }
        return new AnnotatedKernel(
                collective,
                one ? member.id() : null,
                one ? member.rank() : -1,
                one ? member.ranks() : -1,
                calls.stream().allMatch(call -> call.typeBytes() == first.typeBytes()) ? first.typeBytes() : -1,
                added ? in : -1,
                added ? out : -1,
                calls.size() == 1 ? first.peer() : -1);
    }

    private static @Nullable String collective(List<NcclCall> calls) {
        NcclFunction kind = calls.getFirst().kind();
        if (calls.stream().allMatch(call -> call.kind() == kind)) {
            return kind.word();
        }
        boolean messages = calls.stream().allMatch(call -> call.peer() >= 0);
        return messages ? MESSAGES : null;
    }

    private static long in(NcclCall call, int ranks) {
        return switch (call.kind()) {
            case REDUCE_SCATTER, ALL_TO_ALL, SCATTER -> times(call.bytes(), ranks);
            case RECV -> 0;
            default -> call.bytes();
        };
    }

    private static long out(NcclCall call, int ranks) {
        return switch (call.kind()) {
            case ALL_GATHER, ALL_TO_ALL, GATHER -> times(call.bytes(), ranks);
            case SEND -> 0;
            default -> call.bytes();
        };
    }

    /** -1 where there is none, or where it is more than a number holds. */
    private static long sum(long a, long b) {
        return a < 0 || b < 0 || a + b < 0 ? -1 : a + b;
    }

    /** -1 likewise. */
    private static long times(long bytes, int ranks) {
        return bytes < 0 || ranks < 0 || Math.multiplyHigh(bytes, ranks) != 0 ? -1 : Math.max(-1, bytes * ranks);
    }
}
