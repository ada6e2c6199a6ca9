// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one rank's trace as the profiler's JSON: {@link #begin}, {@link #append} for each step, {@link #end}. Times go
 * through the rank's clock here, so durations carry its drift too, and what was written is counted here. Confined to one
 * thread at a time.
 */
final class KinetoJsonEmitter {
    /** What the ranks' clocks show at the start of the run, nanoseconds since {@code baseTimeNanoseconds}. */
    private static final long ORIGIN = 2_410_000_000_000_000L;

    private static final Category[] CATEGORIES = Category.values();

    private record Remembered(Lane lane, long nanos, SyntheticAllocator.Change change) {}

    private final TraceRecipe recipe;
    private final RankPlace place;
    private final RankClock clock;
    private final long origin;
    private final String traceName;
    private final @Nullable EventText[] texts;
    private final ByteSink sink;
    private final @Nullable SyntheticAllocator allocator;
    private final long[] counts = new long[CATEGORIES.length];
    private final long[] nanos = new long[CATEGORIES.length];
    private long index;
    private long last = Long.MIN_VALUE;

    KinetoJsonEmitter(TraceRecipe recipe, RankPlace place, int kinds, String traceName, ByteSink sink) {
        this.recipe = recipe;
        this.place = place;
        this.clock = RankClock.of(recipe, place.rank());
        this.origin = ORIGIN + (recipe.recording().omits(Omission.BASE_TIME) ? KinetoEnvelope.BASE_TIME : 0);
        this.traceName = traceName;
        this.texts = new EventText[kinds * Lane.values().length];
        this.sink = sink;
        MemoryPlan plan = recipe.recording().memory();
        this.allocator = plan == null ? null : new SyntheticAllocator(plan, recipe.seed(), place.rank());
    }

    void begin() throws IOException {
        sink.text(KinetoEnvelope.head(recipe, place));
    }

    void append(EventList events) throws IOException {
        for (int pass = 0; pass < Category.PASSES; pass++) {
            for (int row = 0; row < events.size(); row++) {
                if (events.kind(row).category().pass() == pass) {
                    append(events, row);
                }
            }
        }
        remember(events);
    }

    private void remember(EventList events) throws IOException {
        if (allocator == null) {
            return;
        }
        List<Remembered> changes = new ArrayList<>();
        allocator.step(events, (lane, nanos, change) -> changes.add(new Remembered(lane, nanos, change)));
        int type = recipe.vendor() == Vendor.CUDA ? 1 : 6;
        for (Remembered one : changes) {
            SyntheticAllocator.Change change = one.change;
            sink.text("  {\n"
                    + "    \"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n"
                    + "    \"pid\": "
                    + place.processOf(one.lane) + ", \"tid\": " + place.threadOf(one.lane) + ",\n    \"ts\": ");
            sink.micros(origin + clock.read(one.nanos));
            sink.text(",\n    \"args\": {\n      \"Total Reserved\": " + change.reserved() + ", \"Total Allocated\": "
                    + change.allocated() + ", \"Bytes\": " + change.bytes() + ", \"Addr\": " + change.address()
                    + ", \"Device Id\": " + place.device() + ", \"Device Type\": " + type + ", \"Ev Idx\": " + index++
                    + "\n    }\n  },\n");
        }
    }

    /** What the allocator did, null where that is not recorded. */
    @Nullable
    MemoryTruth memory() {
        return allocator == null ? null : allocator.truth(nanos -> origin + clock.read(nanos));
    }

    private void append(EventList events, int row) throws IOException {
        EventText text = text(events, row);
        long start = origin + clock.read(events.start(row));
        long duration = origin + clock.read(events.end(row)) - start;
        last = Math.max(last, start + duration);
        int category = events.kind(row).category().index();
        counts[category]++;
        nanos[category] += duration;
        byte[][] pieces = text.pieces();
        Slot[] slots = text.slots();
        for (int i = 0; i < slots.length; i++) {
            sink.bytes(pieces[i]);
            switch (slots[i]) {
                case TIME -> sink.micros(start);
                case DURATION -> sink.micros(duration);
                case FIRST -> sink.number(events.first(row));
                case SECOND -> numberOrNull(events.second(row));
                case THIRD -> sink.number(events.third(row));
                case INDEX -> sink.number(index++);
                case GRAPH -> sink.number(events.third(row) >>> Integer.SIZE);
                case BANDWIDTH -> sink.micros(events.third(row) * 1000 / Math.max(1, duration));
            }
        }
        sink.bytes(pieces[slots.length]);
    }

    private void numberOrNull(long value) throws IOException {
        if (value < 0) {
            sink.text("null");
        } else {
            sink.number(value);
        }
    }

    private EventText text(EventList events, int row) {
        int at = events.textIndex(row);
        EventText text = texts[at];
        if (text == null) {
            boolean flows = !recipe.recording().omits(Omission.FLOWS);
            text = EventText.of(events.kind(row), events.lane(row), place, flows);
            texts[at] = text;
        }
        return text;
    }

    /** Writes what follows the events. The sink is left open. */
    void end() throws IOException {
        long start = origin + clock.read(0);
        sink.text(KinetoEnvelope.tail(recipe, place, traceName, start, Math.max(0, last - start) + 50_000));
    }

    List<RankTruth.CategoryTotal> totals() {
        return Arrays.stream(CATEGORIES)
                .filter(category -> counts[category.index()] > 0)
                .map(category ->
                        new RankTruth.CategoryTotal(category.text(), counts[category.index()], nanos[category.index()]))
                .toList();
    }
}
