// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.simulate.algorithm;

import dev.lockstep.simulate.nccl.Algorithm;
import dev.lockstep.simulate.nccl.Collective;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The algorithms there are, one line each. The first that fits is taken. */
public record Algorithms(List<CollectiveAlgorithm> all) {
    /** Everything that is modelled. */
    public static final Algorithms BUILT_IN = new Algorithms(List.of(
            new RingAllReduce(),
            new TreeAllReduce(),
            new RingAllGather(),
            new RingReduceScatter(),
            new RingBroadcast(),
            new RingReduce()));

    public Algorithms {
        all = List.copyOf(all);
    }

    /** The same with some that come first. */
    public Algorithms preferring(CollectiveAlgorithm... first) {
        return new Algorithms(Stream.concat(Stream.of(first), all.stream()).toList());
    }

    /** The one for a kind of collective; null if there is none. */
    public @Nullable CollectiveAlgorithm of(Collective kind, Algorithm algorithm) {
        for (CollectiveAlgorithm a : all) {
            if (a.carriesOut(kind, algorithm)) {
                return a;
            }
        }
        return null;
    }
}
