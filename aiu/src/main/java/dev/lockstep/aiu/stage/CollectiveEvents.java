// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOption;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.AiuRules.Addition;
import dev.lockstep.aiu.pipeline.Args;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Builds an event for each collective and rank: from the end of the kernel that belongs to it to its last transfer. */
final class CollectiveEvents {
    private static final double NEAR_US = 10_000;
    private static final Pattern SIZE = Pattern.compile("\\[([0-9]+)[Bb]\\]");
    private static final Pattern NUMBERED = Pattern.compile("_[0-9]+$");

    private record Span(AiuEvent first, AiuEvent last) {}

    private final AiuLog log;
    private final Map<Long, Deque<AiuEvent>> kernels = new HashMap<>();
    private final boolean explains;
    private boolean active;

    CollectiveEvents(AiuOptions options, AiuLog log) {
        this.active = options.get(AiuOption.BUILD_COLLECTIVES);
        this.explains = options.rules().result().has(Addition.REASONS);
        this.log = log;
    }

    /** Remembers kernels that may belong to a collective. */
    void note(AiuEvent event) {
        if (active
                && event.name.text().endsWith(" Cmpt Exec")
                && !event.name.text().startsWith("AllReduce")) {
            kernels.computeIfAbsent(event.pid, pid -> new ArrayDeque<>()).add(event);
        }
    }

    void build(FlowGroup group, List<AiuEvent> into) {
        if (!active) {
            return;
        }
        int ranks = group.peers.size();
        int multicast = multicastRank(group, ranks);
        if (multicast != ranks - 1) {
            log.warn(
                    multicast == 0
                            ? "FLOW: Only chain AllReduce is supported now"
                            : "FLOW: AllReduce algorithm type not supported (chain and tree only)");
            if (explains) {
                log.info("FLOW: events of collectives can be built of chains, in which rank " + (ranks - 1)
                        + " sends the result to all (Type MultiCast); here "
                        + (multicast < 0 ? "neither it nor rank 0 does" : "rank 0 does, as in a tree"));
            }
            active = false;
            return;
        }
        spans(group, ranks).forEach((pid, span) -> into.add(event(group, pid, span)));
    }

    private static int multicastRank(FlowGroup group, int ranks) {
        for (AiuEvent helper : group.helpers) {
            if (FlowHelper.type(helper) == FlowHelper.MULTICAST && (helper.pid == 0 || helper.pid == ranks - 1)) {
                return (int) helper.pid;
            }
        }
        return -1;
    }

    /** In a chain rank 0 begins with a send, the others with what they receive; the last one ends with its multicast. */
    private static Map<Long, Span> spans(FlowGroup group, int ranks) {
        Map<Long, AiuEvent> first = new TreeMap<>();
        Map<Long, AiuEvent> last = new TreeMap<>();
        for (AiuEvent helper : group.helpers) {
            long type = FlowHelper.type(helper);
            boolean done = type == FlowHelper.DONE;
            if (helper.pid == 0 ? type == FlowHelper.SEND : done) {
                first.merge(helper.pid, helper, (a, b) -> b.ts < a.ts ? b : a);
            }
            if (helper.pid == ranks - 1 ? type == FlowHelper.MULTICAST : done) {
                last.merge(helper.pid, helper, (a, b) -> b.ts > a.ts ? b : a);
            }
        }
        Map<Long, Span> spans = new TreeMap<>();
        first.forEach((pid, event) -> {
            AiuEvent end = last.get(pid);
            if (end != null) {
                spans.put(pid, new Span(event, end));
            }
        });
        return spans;
    }

    private AiuEvent event(FlowGroup group, long pid, Span span) {
        AiuEvent kernel = kernel(pid, span.first);
        double start = kernel == null ? span.first.ts : kernel.end();
        String name = NUMBERED.matcher(group.name).find() ? group.name : group.name + "_0";
        AiuEvent event = new AiuEvent('X', new AiuName(name));
        event.ts = start;
        event.dur = Math.max(0, span.last.end() - start);
        event.pid = pid;
        event.hasPid = true;
        event.hasTid = true;
        event.other = Args.of("tid", "coll" + pid);
        long bytes = Math.max(bytes(span.first), bytes(span.last));
        event.put("bytes", bytes + "B");
        event.put("collective algorithm type", "chain");
        event.put("peers", group.peers.toString().replace('[', '{').replace(']', '}'));
        event.put("CollGroup", group.name);
        event.put("rank group compute event", kernel == null ? "" : kernel.name.text());
        event.put("Coll_data_size", 2L * (group.peers.size() - 1) * bytes);
        return event;
    }

    /** The first kernel that starts behind the transfer and ends near its end. */
    private @Nullable AiuEvent kernel(long pid, AiuEvent transfer) {
        Deque<AiuEvent> waiting = kernels.getOrDefault(pid, new ArrayDeque<>());
        while (!waiting.isEmpty()) {
            AiuEvent kernel = waiting.remove();
            if (kernel.ts > transfer.ts && Math.abs(kernel.end() - transfer.end()) <= NEAR_US) {
                return kernel;
            }
        }
        return null;
    }

    private static long bytes(AiuEvent helper) {
        Object value = FlowHelper.members(helper).get(FlowHelper.BYTES);
        if (value instanceof Long number) {
            return number;
        }
        if (value instanceof String text && text.strip().matches("[0-9]{1,18}")) {
            return Long.parseLong(text.strip());
        }
        Matcher size = SIZE.matcher(helper.name.text());
        return size.find() && size.group(1).length() <= 18 ? Long.parseLong(size.group(1)) : 0;
    }
}
