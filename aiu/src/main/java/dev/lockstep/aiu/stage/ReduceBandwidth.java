// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.ByProcess;
import dev.lockstep.aiu.pipeline.Rounding;
import dev.lockstep.aiu.pipeline.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code mp_calc_bw}: the bandwidth of each all-reduce. It reaches from the end of what a device did before its first transfer
 * to the end of its last one; on all links together {@code 2 (N - 1)} times its size is moved. It is over with the next kernel,
 * or with the trace.
 */
final class ReduceBandwidth implements Stage {
    private static final AiuName REDUCE = new AiuName("BW allreduce");
    private static final AiuName LINKS = new AiuName("BW all-pcie");
    private static final String UNIT = "Unit GBps";
    private static final long PROCESS = -1;

    /** An all-reduce that is going on; times in microseconds. */
    private static final class Reduce {
        final double start;
        double end;
        double bytes;
        long received;

        Reduce(double start) {
            this.start = start;
        }
    }

    private final List<AiuEvent> ended = new ArrayList<>();
    private final ByProcess<Object> pids = new ByProcess<>(Object::new);
    private final Map<String, Reduce> open = new LinkedHashMap<>();
    private boolean reduces;
    private double last = Double.NaN;

    @Override
    public String name() {
        return "mp_calc_bw";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.isComplete()) {
            ended.add(event);
            reduces |= isReduce(group(event));
        }
        pids.of(event.pid);
        next.accept(event);
    }

    @Override
    public void drain(Next next) {
        if (!reduces) {
            ended.clear();
            return;
        }
        ended.sort(Comparator.comparingDouble(AiuEvent::end));
        for (AiuEvent event : ended) {
            String group = group(event);
            if (group != null && isReduce(group)) {
                take(event, group);
            } else if (group == null && event.name.isExec()) {
                emitComplete(next);
            }
            if (group != null || event.name.step() != AiuName.NO_STEP) {
                last = event.end();
            }
        }
        emitComplete(next);
        ended.clear();
    }

    private static @Nullable String group(AiuEvent event) {
        return event.args == null ? null : event.args.text("CollGroup");
    }

    private static boolean isReduce(@Nullable String group) {
        return group != null && group.contains("AllReduce_all_reduce_");
    }

    private void take(AiuEvent event, String group) {
        Reduce reduce = open.get(group);
        if (reduce == null) {
            reduce = new Reduce(Double.isNaN(last) ? event.ts : last);
            open.put(group, reduce);
        }
        reduce.end = event.end();
        if (reduce.bytes == 0 && event.args != null && event.name.contains("SenRdmaSend")) {
            reduce.bytes = Math.max(0, bytes(event.args));
        }
        if (event.name.contains("SenRdmaRecv")) {
            reduce.received++;
        }
    }

    private void emitComplete(Next next) {
        for (Iterator<Reduce> each = open.values().iterator(); each.hasNext(); ) {
            Reduce reduce = each.next();
            if (reduce.bytes > 0 && reduce.received > pids.size() - 1) {
                each.remove();
                emit(reduce, next);
            }
        }
    }

    private void emit(Reduce reduce, Next next) {
        if (reduce.end > reduce.start) {
            double rate = Rounding.of(reduce.bytes / (reduce.end - reduce.start) / 1000, 3);
            counter(REDUCE, reduce, rate, next);
            counter(LINKS, reduce, 2 * (pids.size() - 1) * rate, next);
        }
    }

    private static void counter(AiuName name, Reduce reduce, double rate, Next next) {
        next.accept(AiuEvent.counter(name, reduce.start, PROCESS, "", Args.of(UNIT, rate)));
        next.accept(AiuEvent.counter(name, reduce.end, PROCESS, "", Args.of(UNIT, 0L)));
    }

    /** The size of a transfer, 0 when it is not recorded. */
    static double bytes(Args args) {
        Object value = args.get("bytes");
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value instanceof String text && text.strip().matches("[0-9]{1,15}B?")
                ? Long.parseLong(text.strip().replace("B", ""))
                : 0;
    }
}
