// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.nccl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.goal.recording.Communicator.Tree;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BinaryTreesTest {
    /** The trees that are drawn in the library's source for 14, 12 and 13 members. */
    @Test
    void treesAreThoseOfTheLibrary() {
        assertThat(BinaryTrees.parents(14, false)).containsExactly(-1, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12);
        assertThat(BinaryTrees.parents(12, true)).containsExactly(1, 3, 1, 11, 5, 7, 5, 3, 9, 7, 9, -1);
        assertThat(BinaryTrees.parents(13, true)).containsExactly(9, -1, 3, 5, 3, 9, 7, 5, 7, 1, 11, 0, 11);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 31, 32, 33, 100, 127, 128, 129})
    void branchesOfOneAreLeavesOfTheOther(int members) {
        Tree first = Tree.of(BinaryTrees.parents(members, false));
        Tree second = Tree.of(BinaryTrees.parents(members, true));

        assertThat(first.sound()).isTrue();
        assertThat(second.sound()).isTrue();
        int bothBranch = 0;
        for (int member = 0; member < members; member++) {
            assertThat(first.children()[member].length).isLessThanOrEqualTo(2);
            assertThat(second.children()[member].length).isLessThanOrEqualTo(2);
            bothBranch += first.children()[member].length == 2 && second.children()[member].length == 2 ? 1 : 0;
        }
        assertThat(bothBranch).isZero();
    }

    @Test
    void aCircleBesideTheRootIsNoTree() {
        assertThat(new Tree(new int[] {-1, 2, 1}, new int[][] {{}, {2}, {1}}).sound())
                .isFalse();
        assertThat(new Tree(new int[] {-1, 0, 1}, new int[][] {{1, 1}, {}, {}}).sound())
                .isFalse();
        assertThat(new Tree(new int[] {-1, 0, 1}, new int[][] {{1}, {2}, {}}).sound())
                .isTrue();
    }
}
