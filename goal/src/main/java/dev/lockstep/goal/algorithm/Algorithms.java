// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.io.IOException;
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
            new RingReduce(),
            new PatAllGather(),
            new PatReduceScatter(),
            new NvlsAllReduce(),
            new NvlsAllGather(),
            new NvlsReduceScatter()));

    public Algorithms {
        all = List.copyOf(all);
    }

    /** The same with some that come first. */
    public Algorithms preferring(CollectiveAlgorithm... first) {
        return new Algorithms(Stream.concat(Stream.of(first), all.stream()).toList());
    }

    /** The same, and rings for everything that has a ring. */
    public Algorithms orRings() {
        return new Algorithms(Stream.concat(
                        all.stream(),
                        all.stream()
                                .filter(a -> Stream.of(NcclFunction.values())
                                        .anyMatch(kind -> a.carriesOut(kind, NcclAlgorithm.RING)))
                                .map(RingInstead::new))
                .toList());
    }

    /** Carries out what has another algorithm. */
    private record RingInstead(CollectiveAlgorithm ring) implements CollectiveAlgorithm {
        @Override
        public boolean carriesOut(NcclFunction kind, NcclAlgorithm algorithm) {
            return ring.carriesOut(kind, NcclAlgorithm.RING);
        }

        @Override
        public int workers() {
            return ring.workers();
        }

        @Override
        public void expand(ChannelJob job, Primitives out) throws IOException {
            ring.expand(job, out);
        }
    }

    /** The one for a kind of collective; null if there is none. */
    public @Nullable CollectiveAlgorithm of(NcclFunction kind, NcclAlgorithm algorithm) {
        for (CollectiveAlgorithm a : all) {
            if (a.carriesOut(kind, algorithm)) {
                return a;
            }
        }
        return null;
    }
}
