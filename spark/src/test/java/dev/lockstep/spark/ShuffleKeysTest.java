// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.analyze.comm.RankKinds;
import dev.lockstep.derive.CollectiveMatch.Basis;
import dev.lockstep.derive.CollectiveMatch.Group;
import dev.lockstep.spark.Collected.Place;
import dev.lockstep.spark.RankShare.KernelName;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What equal things are brought together by has the same hash in every process. Constants of enums and arrays have another in each,
 * so that equal keys of two executors would stay apart.
 */
class ShuffleKeysTest {
    private static final Set<Class<?>> BY_VALUE =
            Set.of(int.class, long.class, double.class, String.class, Set.class, Map.class);

    /** What of a key may have another hash elsewhere. */
    private static List<Class<?>> elsewhereOther(Class<?> key) {
        List<Class<?>> found = new ArrayList<>();
        RecordComponent[] components = key.getRecordComponents();
        if (components == null) {
            if (!BY_VALUE.contains(key)) {
                found.add(key);
            }
        } else if (!key.equals(Group.class)) {
            for (RecordComponent component : components) {
                found.addAll(elsewhereOther(component.getType()));
            }
        }
        return found;
    }

    @ParameterizedTest
    @ValueSource(classes = {Group.class, Place.class, KernelName.class, RankKinds.Work.class, SparkRun.Messages.class})
    void keysConsistOfWhatHasOneHash(Class<?> key) {
        assertThat(elsewhereOther(key)).isEmpty();
    }

    /** They hold a constant, and hash it themselves. */
    @Test
    void groupsHashTheSameEverywhere() {
        List<Integer> hashes = Stream.of(
                        new Group(Basis.SEQUENCE, "38", "0, 1", -1, -1, null),
                        new Group(Basis.KIND_AND_ORDER, "", "", 1, 0, "all_reduce"))
                .map(Objects::hashCode)
                .toList();
        assertThat(hashes).containsExactly(-1841964616, 1557284547);
    }
}
