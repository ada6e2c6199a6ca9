// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import dev.lockstep.goal.nccl.NvtxMark.MemberMark;
import java.util.HashMap;
import java.util.Map;

/** In which communicators a process is which rank, by what it calls them. */
final class AnnotatedMembers {
    /**
     * @param id of the communicator on all processes
     * @param rank of this process, -1 if unknown
     * @param ranks how many there are, -1 if unknown
     */
    record Member(String id, int rank, int ranks) {}

    private final Map<String, Member> byHash = new HashMap<>();

    AnnotatedMembers(MarkColumn<MemberMark> marks) {
        for (int i = 0; i < marks.size(); i++) {
            MemberMark mark = marks.get(i);
            byHash.put(mark.communicator(), new Member(mark.id(), mark.rank(), mark.ranks()));
        }
    }

    /** What is known of a communicator; its hash stands for what is not. */
    Member of(String hash) {
        Member member = byHash.get(hash);
        return member == null ? new Member(hash, -1, -1) : member;
    }
}
