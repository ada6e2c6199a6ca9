// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.codec.Glob;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Steps;
import dev.lockstep.merge.MergeFilter.Condition;
import dev.lockstep.merge.MergeFilter.Kind;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** A {@link MergeFilter} for one rank: says of each event why it is left out. Categories and names are judged once each. */
final class RankFilter {
    /** Seven days: no recording lasts longer. */
    private static final long LARGEST_GAP_NS = 7L * 24 * 3600 * 1_000_000_000;

    private static final byte UNKNOWN = 0;
    private static final byte KEPT = 1;
    private static final byte LEFT_OUT = 2;

    private final MergeFilter filter;
    private final Trace trace;
    private final Slices slices;
    private final LongUnaryOperator clock;
    private final long start;
    private final byte[] names;
    private final byte[] categories;
    private final boolean byTime;
    private final boolean byStream;
    private final @Nullable Steps steps;
    private final @Nullable LaunchLinks launches;
    private final List<Inside> inside = new ArrayList<>();

    /**
     * @param clock the time in the file for a time of the trace
     * @param start the moment in the file from which time windows count
     */
    RankFilter(MergeFilter filter, Trace trace, LongUnaryOperator clock, long start) {
        this.filter = filter;
        this.trace = trace;
        this.slices = trace.slices();
        this.clock = clock;
        this.start = start;
        this.names = new byte[trace.strings().size()];
        this.categories = new byte[trace.strings().size()];
        this.byTime = has(Kind.TIME);
        this.byStream = has(Kind.STREAM);
        DerivedCache cache = new DerivedCache(trace);
        this.steps = has(Kind.STEP) ? cache.get(new Steps.Key(null)) : null;
        this.launches =
                has(Kind.STEP) || has(Kind.UNDER) ? cache.get(new LaunchLinks.Key(LaunchRule.CORRELATION)) : null;
        for (Condition c : filter.conditions()) {
            if (c.kind() == Kind.UNDER && launches != null) {
                inside.add(Inside.of(
                        trace, launches, c, name -> c.words().stream().anyMatch(w -> matches(Kind.NAME, w, name))));
            }
        }
    }

    private boolean has(Kind kind) {
        return filter.conditions().stream().anyMatch(c -> c.kind() == kind);
    }

    /** Why the slice is left out, null when it stays. */
    @Nullable
    Reason slice(int slice) {
        SliceKind kind = slices.kind(slice);
        boolean device = kind.isOnDevice();
        if (filter.deviceOnly() && !device) {
            return Reason.HOST;
        }
        Reason reason = text(slices.category(slice), slices.name(slice));
        if (reason == null && byTime && !window(slices.ts(slice), slices.end(slice))) {
            reason = Reason.TIME;
        }
        if (reason == null && byStream && device && !matches(Kind.STREAM, stream(slice))) {
            reason = Reason.STREAM;
        }
        if (reason == null && !Inside.wants(inside, one -> one.holds(slice))) {
            reason = Reason.UNDER;
        }
        if (reason == null && steps != null && launches != null) {
            int launch = kind.isDeviceActivity() ? launches.launchOf(slice) : -1;
            reason = step(slices.ts(launch < 0 ? slice : launch));
        }
        return reason;
    }

    /** Why the mark is left out, null when it stays. */
    @Nullable
    Reason mark(int row, boolean deviceTrack) {
        if (filter.deviceOnly() && !deviceTrack) {
            return Reason.HOST;
        }
        long ts = trace.marks().ts(row);
        if (isFarFromSlices(ts)) {
            return Reason.TIME_IMPLAUSIBLE;
        }
        Reason reason = text(trace.marks().category(row), trace.marks().name(row));
        if (reason == null && byTime && !window(ts, ts)) {
            reason = Reason.TIME;
        }
        if (reason == null && !Inside.wants(inside, one -> one.isOpenAt(ts))) {
            return Reason.UNDER;
        }
        return reason == null && steps != null ? step(ts) : reason;
    }

    /** A moment of 0 among times since 1970, say, which would stretch the view over years. */
    private boolean isFarFromSlices(long ts) {
        if (slices.size() == 0) {
            return false;
        }
        long first = slices.ts(0);
        long last = slices.ts(slices.size() - 1);
        long far = ts < first ? first - ts : ts > last ? ts - last : 0;
        return far < 0 || far > LARGEST_GAP_NS;
    }

    private @Nullable Reason text(int category, int name) {
        if (filter.conditions().isEmpty()) {
            return null;
        }
        if (!known(categories, Kind.CATEGORY, category)) {
            return Reason.CATEGORY;
        }
        return known(names, Kind.NAME, name) ? null : Reason.NAME;
    }

    private boolean known(byte[] judged, Kind kind, int id) {
        if (id < 0) {
            return matches(kind, "");
        }
        if (judged[id] == UNKNOWN) {
            judged[id] = matches(kind, trace.strings().get(id)) ? KEPT : LEFT_OUT;
        }
        return judged[id] == KEPT;
    }

    /** Whether the conditions of a kind let a value through. */
    private boolean matches(Kind kind, String value) {
        boolean asked = false;
        boolean named = false;
        for (Condition c : filter.conditions()) {
            if (c.kind() != kind) {
                continue;
            }
            boolean holds = c.words().stream().anyMatch(w -> matches(kind, w, value))
                    || c.ranges().stream().anyMatch(r -> r.holds(number(value)));
            if (holds && !c.keep()) {
                return false;
            }
            asked |= c.keep();
            named |= c.keep() && holds;
        }
        return !asked || named;
    }

    private static boolean matches(Kind kind, String word, String value) {
        return kind == Kind.NAME ? new Glob(word).matches(value) : word.equals(value);
    }

    private static long number(String text) {
        return text.matches("\\d{1,18}") ? Long.parseLong(text) : -1;
    }

    private String stream(int slice) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        int row = details == null ? -1 : details.of(slice);
        return details != null && row >= 0 && details.stream(row) >= 0
                ? Long.toString(details.stream(row))
                : trace.tracks().get(slices.track(slice)).thread();
    }

    private boolean window(long from, long to) {
        long begin = clock.applyAsLong(from) - start;
        long end = begin + (to - from);
        boolean asked = false;
        boolean inside = false;
        for (Condition c : filter.conditions()) {
            if (c.kind() == Kind.TIME) {
                boolean touches = c.ranges().stream().anyMatch(r -> end >= r.from() && begin <= r.to());
                if (touches && !c.keep()) {
                    return false;
                }
                asked |= c.keep();
                inside |= c.keep() && touches;
            }
        }
        return !asked || inside;
    }

    private @Nullable Reason step(long ts) {
        if (steps == null) {
            return null;
        }
        int at = steps.at(ts);
        long number = at < 0 ? -1 : steps.steps().get(at).number();
        boolean asked = false;
        boolean named = false;
        for (Condition c : filter.conditions()) {
            if (c.kind() == Kind.STEP) {
                boolean holds = number >= 0 && c.ranges().stream().anyMatch(r -> r.holds(number));
                if (holds && !c.keep()) {
                    return Reason.STEP;
                }
                asked |= c.keep();
                named |= c.keep() && holds;
            }
        }
        return !asked || named ? null : Reason.STEP;
    }
}
