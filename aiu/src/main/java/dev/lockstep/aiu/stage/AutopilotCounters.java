// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Utilisation of whole jobs, for compilers that tell ideal cycles only for all kernels together. */
final class AutopilotCounters {
    static final class Span {
        final long pid;
        final double ideal;
        double start;
        double end;
        double time;

        Span(long pid, double ts, double dur, double ideal) {
            this.pid = pid;
            this.ideal = ideal;
            start = ts;
            end = ts + dur;
            time = dur;
        }

        double percent() {
            return time > 0 ? ideal / time * 100 : 0;
        }
    }

    private record Key(int rank, Object job) {}

    private final AiuLog log;
    private final Map<Key, Span> spans = new LinkedHashMap<>();
    private final Map<Integer, Object> current = new HashMap<>();
    private final Map<Integer, Double> lastEnd = new HashMap<>();

    AutopilotCounters(AiuLog log) {
        this.log = log;
    }

    /** Takes a kernel of a job of a rank. */
    void add(int rank, Object job, Span kernel, Stage.Next next) {
        @Nullable Object before = current.put(rank, job);
        Span span = spans.get(new Key(rank, job));
        if (span == null) {
            spans.put(new Key(rank, job), kernel);
        } else {
            extend(span, kernel);
        }
        if (before != null && !before.equals(job)) {
            Span done = spans.remove(new Key(rank, before));
            if (done != null) {
                emit(rank, done, false, next);
            }
        }
    }

    private void extend(Span span, Span kernel) {
        if (kernel.start < span.end) {
            log.warn("UTL: Overlapping kernel events detected. Overlap time[us]: "
                    + Numbers.python(span.end - kernel.start));
        }
        span.start = Math.min(span.start, kernel.start);
        span.end = Math.max(span.end, kernel.end);
        span.time = Math.min(span.time + kernel.time, span.end - span.start);
    }

    void finish(Stage.Next next) {
        spans.forEach((key, span) -> emit(key.rank, span, true, next));
        spans.clear();
    }

    /** A counter falls to zero where its span ends, unless the next one begins before. */
    private void emit(int rank, Span span, boolean last, Stage.Next next) {
        double tracked = lastEnd.getOrDefault(rank, 0.0);
        double start = span.start;
        if (start <= tracked) {
            if (span.end < tracked) {
                log.warn(
                        "UTL: Counter embedding detected. Dropping embedded event. This is not technically possible and"
                                + " indicates a problem with the trace file.");
                return;
            }
            start = tracked;
        } else if (tracked > 0) {
            next.accept(Utilization.counter(tracked, span.pid, 0));
        }
        lastEnd.put(rank, span.end);
        AiuEvent counter = Utilization.counter(start, span.pid, span.percent());
        next.accept(counter);
        if (last) {
            next.accept(Utilization.counter(span.end, span.pid, 0));
        }
    }
}
