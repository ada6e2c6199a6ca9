// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code mp_calc_bw_v2}: the bandwidth of each collective from the events that were built for it on every rank. */
final class CollectiveBandwidth implements Stage {
    private static final AiuName NAME = new AiuName("Coll_Bandwidth");
    private static final String UNIT = "GBps";
    private static final long PROCESS = -1;

    private static final class Span {
        double start = Double.POSITIVE_INFINITY;
        double end = Double.NEGATIVE_INFINITY;
        double bytes;
    }

    private final AiuLog log;
    private final Map<String, Span> collectives = new LinkedHashMap<>();

    CollectiveBandwidth(AiuLog log) {
        this.log = log;
    }

    @Override
    public String name() {
        return "mp_calc_bw_v2";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete() && event.args != null && event.args.has("Coll_data_size")) {
            Span span = collectives.computeIfAbsent(event.name.text(), name -> new Span());
            span.start = Math.min(span.start, event.ts);
            span.end = Math.max(span.end, event.end());
            span.bytes = Math.max(span.bytes, event.args.number("Coll_data_size"));
        }
        next.accept(event);
    }

    @Override
    public void drain(Next next) {
        List<Span> spans = new ArrayList<>(collectives.values());
        spans.sort(Comparator.comparingDouble((Span span) -> span.start));
        double end = Double.NaN;
        boolean concurrent = false;
        for (Span span : spans) {
            concurrent |= span.start < end;
            if (end < span.start) {
                next.accept(counter(end, 0));
            }
            double us = span.end - span.start;
            next.accept(counter(span.start, us > 0 ? Rounding.of(span.bytes / us / 1000, 3) : 0));
            end = Double.isNaN(end) ? span.end : Math.max(end, span.end);
        }
        if (!spans.isEmpty()) {
            next.accept(counter(end, 0));
        }
        if (concurrent) {
            log.warn("CBW: Concurrent collective ops detected");
        }
        collectives.clear();
    }

    private static AiuEvent counter(double ts, double rate) {
        return AiuEvent.counter(NAME, ts, PROCESS, null, Args.of(UNIT, rate));
    }
}
