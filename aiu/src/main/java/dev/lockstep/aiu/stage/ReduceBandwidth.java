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
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code mp_calc_bw}: the bandwidth of each all-reduce. It reaches from the end of what came before its first transfer
 * to the end of its last one; on all links together {@code 2 (N - 1)} times its size is moved.
 */
final class ReduceBandwidth implements Stage {
    private static final AiuName REDUCE = new AiuName("BW allreduce");
    private static final AiuName LINKS = new AiuName("BW all-pcie");
    private static final String UNIT = "Unit GBps";
    private static final long PROCESS = -1;

    private final List<AiuEvent> ended = new ArrayList<>();
    private final ByProcess<Object> pids = new ByProcess<>(Object::new);
    private boolean reduces;

    private double start;
    private double last = Double.NaN;
    private double bytes;
    private long received;
    private boolean inside;

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
            if (isReduce(group)) {
                enter(event);
            } else if (group == null && inside && bytes > 0 && received > pids.size() - 1 && event.name.isExec()) {
                emit(next);
            }
            last = event.end();
        }
        ended.clear();
    }

    private static @Nullable String group(AiuEvent event) {
        return event.args == null ? null : event.args.text("CollGroup");
    }

    private static boolean isReduce(@Nullable String group) {
        return group != null && group.contains("AllReduce_all_reduce_");
    }

    private void enter(AiuEvent event) {
        if (!inside) {
            inside = true;
            start = Double.isNaN(last) ? event.ts : last;
        }
        if (bytes == 0 && event.args != null && event.name.contains("SenRdmaSend")) {
            bytes = Math.max(0, bytes(event.args));
        }
        if (event.name.contains("SenRdmaRecv")) {
            received++;
        }
    }

    private void emit(Next next) {
        if (last > start) {
            double rate = Rounding.of(bytes / (last - start) / 1000, 3);
            counter(REDUCE, rate, next);
            counter(LINKS, 2 * (pids.size() - 1) * rate, next);
        }
        inside = false;
        bytes = 0;
        received = 0;
    }

    private void counter(AiuName name, double rate, Next next) {
        next.accept(AiuEvent.counter(name, start, PROCESS, "", Args.of(UNIT, rate)));
        next.accept(AiuEvent.counter(name, last, PROCESS, "", Args.of(UNIT, 0L)));
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
