// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import dev.lockstep.table.LongIntMap;
import dev.lockstep.table.LongList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Something for each process, found without boxes: stages look it up for every event. */
public final class ByProcess<T> {
    /** Takes what belongs to a process. */
    @FunctionalInterface
    public interface Taker<T> {
        void take(long pid, T value);
    }

    private final Supplier<T> make;
    private final LongIntMap places = new LongIntMap(8);
    private final LongList pids = new LongList(8);
    private final List<T> values = new ArrayList<>();
    private long recentPid;
    private int recent = -1;

    /** @param make what a process gets when it is asked for first */
    public ByProcess(Supplier<T> make) {
        this.make = make;
    }

    public T of(long pid) {
        if (recent < 0 || pid != recentPid) {
            recentPid = pid;
            recent = place(pid);
        }
        return values.get(recent);
    }

    private int place(long pid) {
        int known = places.get(pid);
        if (known >= 0) {
            return known;
        }
        int place = values.size();
        places.put(pid, place);
        pids.add(pid);
        values.add(make.get());
        return place;
    }

    /** How many processes there are. */
    public int size() {
        return values.size();
    }

    /** In the order in which the processes appeared. */
    public void forEach(Taker<? super T> taker) {
        for (int i = 0; i < values.size(); i++) {
            taker.take(pids.get(i), values.get(i));
        }
    }

    /** In the order of the processes' numbers. */
    public void forEachByNumber(Taker<? super T> taker) {
        IntStream.range(0, values.size())
                .boxed()
                .sorted((a, b) -> Long.compare(pids.get(a), pids.get(b)))
                .forEach(i -> taker.take(pids.get(i), values.get(i)));
    }
}
