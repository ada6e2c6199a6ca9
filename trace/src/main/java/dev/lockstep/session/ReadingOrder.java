// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.session;

import dev.lockstep.model.Rank;
import dev.lockstep.model.Trace;
import dev.lockstep.session.RankSet.Loaded;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Brings the traces of files that several threads read into an order. Whoever brings the file whose turn it is hands it on,
 * and the ones behind it that wait; whoever comes early waits, so that no thread holds more than one file. Every place must
 * come, and a file may only be begun, and get its memory, after those before it: then nobody waits for ever.
 */
final class ReadingOrder {
    /**
     * What was read of a file.
     *
     * @param ranks what it was read as
     * @param traces its ranks, none when it cannot be read
     * @param memory given back when they were taken
     */
    record Held(List<? extends Loaded<?>> ranks, List<Trace> traces, Runnable memory) {}

    private final OrderedTraceSink line;
    private final RankNumbering.Ahead numbers;
    private final Map<Integer, Held> waiting = new HashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private int turn;
    private boolean stopped;

    /** @param planned the files in their order, each with the rank that it seems to have */
    ReadingOrder(OrderedTraceSink line, Map<Path, Integer> planned) {
        this.line = line;
        this.numbers = new RankNumbering.Ahead(planned);
    }

    /**
     * Hands a file on when it is its turn; waits until somebody has begun to.
     *
     * @throws UncheckedIOException when what the traces are for fails
     */
    void bring(int place, Held held) {
        Held now = arrive(place, held);
        while (now != null) {
            try {
                take(now);
            } catch (IOException e) {
                stop();
                throw new UncheckedIOException(e);
            } catch (RuntimeException | Error e) {
                stop();
                throw e;
            } finally {
                now.memory.run();
            }
            now = following();
        }
    }

    /** Nothing is handed on any more, and nobody waits. */
    void stop() {
        lock.lock();
        try {
            stopped = true;
            waiting.values().forEach(held -> held.memory.run());
            waiting.clear();
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Held arrive(int place, Held held) {
        lock.lock();
        try {
            if (stopped) {
                held.memory.run();
                return null;
            }
            if (place == turn) {
                return held;
            }
            waiting.put(place, held);
            while (waiting.containsKey(place)) {
                moved.awaitUninterruptibly();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Held following() {
        lock.lock();
        try {
            turn++;
            moved.signalAll();
            return waiting.remove(turn);
        } finally {
            lock.unlock();
        }
    }

    private void take(Held held) throws IOException {
        List<Rank> ranks = numbers.next(held.ranks);
        if (ranks == null) {
            line.giveUp();
            stop();
            return;
        }
        for (int inside = 0; inside < ranks.size(); inside++) {
            line.add(held.traces.get(inside).withRank(ranks.get(inside)));
        }
    }
}
