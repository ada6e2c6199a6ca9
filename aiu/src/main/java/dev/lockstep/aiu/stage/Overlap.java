// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuLog.Level;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.PartialOverlap;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * {@code detect_partial_overlap_tids} and {@code detect_partial_overlap_events}: viewers cannot show events of one row
 * that overlap without one lying within the other. Such events move to another row, or are dropped, shifted, shown as
 * asynchronous ones, or only named.
 */
final class Overlap {
    private static final double LONGEST_SHIFT = 0.005;

    private final PartialOverlap way;
    private final SpareRows lanes;
    private final AiuLog log;
    private final Rows rows = new Rows();
    private final List<RunningEnds> states = new ArrayList<>();
    private final PriorityQueue<AiuEvent> asyncEnds = new PriorityQueue<>(Comparator.comparingDouble(e -> e.ts));
    private @Nullable RowChain chain;
    private long resolved;
    private long asyncId;
    private boolean prepared;

    Overlap(PartialOverlap way, int maxStreams, AiuLog log) {
        this.way = way;
        this.log = log;
        lanes = new SpareRows(maxStreams, log);
    }

    Stage collect() {
        return new Stage() {
            @Override
            public String name() {
                return "detect_partial_overlap_tids";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete() && event.hasTid) {
                    lanes.see(event.pid, event.tid);
                }
                next.accept(event);
            }

            @Override
            public void drain(Next next) {
                prepare();
            }
        };
    }

    Stage resolve() {
        return new Stage() {
            @Override
            public String name() {
                return "detect_partial_overlap_events";
            }

            @Override
            public void accept(AiuEvent event, Next next) {
                if (event.isComplete()) {
                    fit(event, next);
                } else {
                    next.accept(event);
                }
            }

            @Override
            public void drain(Next next) {
                while (!asyncEnds.isEmpty()) {
                    next.accept(asyncEnds.remove());
                }
            }

            @Override
            public void finish(AiuLog out) {
                lanes.report();
                out.say(resolved > 0 ? Level.WARNING : Level.INFO, "Partial-overlap slices resolved: " + resolved);
            }
        };
    }

    private void prepare() {
        if (!prepared) {
            lanes.prepare();
            prepared = true;
        }
    }

    private void fit(AiuEvent event, Stage.Next next) {
        prepare();
        if (way == PartialOverlap.TID) {
            move(event);
            next.accept(event);
            return;
        }
        double ts = event.ts;
        RunningEnds row = row(rows.of(event));
        while (true) {
            double end = Rounding.of(event.ts + event.dur, 4);
            if (!row.conflicts(event.ts, end)) {
                row.add(event.ts, end);
                emit(event, ts, next);
                return;
            }
            resolved++;
            switch (way) {
                case SHIFT -> {
                    if (shift(event, row.needed(event.ts, end))) {
                        continue;
                    }
                    emit(event, ts, next);
                }
                case DROP -> log.warn("Solving overlap conflict by dropping: " + event.name);
                case ASYNC -> detach(event, next);
                default -> { // WARN; for TID there is always room
                    log.warn("Detected overlap conflict:  " + event.name);
                    emit(event, ts, next);
                }
            }
            row.advance(event.ts);
            return;
        }
    }

    /** Moves an event to the first row with room, of its own and those behind it. */
    private void move(AiuEvent event) {
        int number = rows.of(event);
        RowChain places = chain;
        if (places == null || !places.takes(number, event.tid, event.ts)) {
            if (places != null) {
                places.settle();
            }
            places = new RowChain(number, event.tid, row(number));
            chain = places;
        }
        double end = Rounding.of(event.ts + event.dur, 4);
        int place = places.find(event.ts, end);
        while (place == places.size()) {
            long tid = lanes.behind(event.pid, places.tid(place - 1));
            places.add(tid, row(rows.of(event.pid, tid)));
            place = places.find(event.ts, end);
        }
        places.take(place, end);
        if (place > 0) {
            resolved += place;
            event.tid = places.tid(place);
            event.hasTid = true; // one without a row begins on row 0
        }
    }

    private RunningEnds row(int number) {
        if (number == states.size()) {
            states.add(new RunningEnds());
        }
        return states.get(number);
    }

    private void emit(AiuEvent event, double ts, Stage.Next next) {
        while (!asyncEnds.isEmpty() && asyncEnds.element().ts <= ts) {
            next.accept(asyncEnds.remove());
        }
        next.accept(event);
    }

    /** Whether the event could be moved behind what it overlaps. */
    private boolean shift(AiuEvent event, double needed) {
        if (needed >= LONGEST_SHIFT || needed == Double.NEGATIVE_INFINITY) {
            log.warn("Detected overlap of " + event.name + " exceeds the threshold/limit 0.005 us. Overlap of "
                    + Numbers.python(needed) + " us: increase threshold or use different overlap res option.");
            return false;
        }
        event.put("orig_ts", event.ts);
        double by = Rounding.of(needed + 0.0015, 3);
        event.ts += by;
        if (needed > event.dur) {
            log.warn("Overlap shifting of " + event.name + " exceeds its duration " + Numbers.python(event.dur));
        } else {
            event.put("orig_dur", event.dur);
            event.dur = Math.max(0, event.dur - by);
        }
        return true;
    }

    /** Makes a pair of asynchronous events, which may overlap. */
    private void detach(AiuEvent event, Stage.Next next) {
        AiuEvent end = event.copy();
        end.phase = 'e';
        end.ts = event.ts + event.dur;
        end.dur = Double.NaN;
        event.phase = 'b';
        event.dur = Double.NaN;
        put(event, asyncId);
        put(end, asyncId++);
        asyncEnds.add(end);
        emit(event, event.ts, next);
    }

    private static void put(AiuEvent event, long id) {
        if (event.other == null) {
            event.other = new Args();
        }
        event.other.put("id", id);
    }
}
