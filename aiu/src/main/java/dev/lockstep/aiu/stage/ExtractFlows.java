// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuOptions;
import dev.lockstep.aiu.pipeline.Args;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * {@code flow_extraction}: collects the helpers of each collective until it is complete, then connects each send with
 * its receive. Every helper costs little, however many collectives are unfinished.
 */
final class ExtractFlows implements Stage {
    private static final double PATIENCE_US = 5_000_000;
    private static final double JUST_BEFORE = 0.001;

    /** A group's time when it was queued; it counts only if the group has not changed since. */
    private record Due(FlowGroup group, double ts, int helpers) {
        boolean isValid() {
            return group.helpers.size() == helpers;
        }
    }

    private record Receive(String sync, long pid) {}

    private record Pair(long from, long to) {}

    private final Map<String, FlowGroup> groups = new LinkedHashMap<>();
    private final PriorityQueue<Due> ends = new PriorityQueue<>(Comparator.comparingDouble(Due::ts));
    private final PriorityQueue<Due> deadlines = new PriorityQueue<>(Comparator.comparingDouble(Due::ts));
    private final TreeMap<Long, Due> finished = new TreeMap<>();
    private final Map<String, AiuName> names = new HashMap<>();
    private final Map<Pair, Double> reversed = new LinkedHashMap<>();
    private final CollectiveEvents collectives;
    private long lastId = 1_000_000;
    private long groupNumber;
    private long problems;
    private long dropped;

    ExtractFlows(AiuOptions options, AiuLog log) {
        collectives = new CollectiveEvents(options, log);
    }

    @Override
    public String name() {
        return "flow_extraction";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        if (event.phase != 'F') {
            collectives.note(event);
            next.accept(event);
            return;
        }
        String group = event.category == null ? "" : event.category;
        FlowGroup of = groups.computeIfAbsent(group, name -> new FlowGroup(name, groupNumber++));
        of.add(event);
        finished.remove(of.number);
        int size = of.helpers.size();
        if (of.isComplete()) {
            ends.add(new Due(of, of.latest, size));
        }
        deadlines.add(new Due(of, of.deadline(PATIENCE_US), size));
        emitFinished(event.ts, next);
        dropStale(event.ts);
    }

    /** One at most of the collectives that ended before: the one that began first. */
    private void emitFinished(double ts, Next next) {
        while (!ends.isEmpty() && ends.element().ts < ts) {
            Due due = ends.remove();
            if (due.isValid() && groups.get(due.group.name) == due.group) {
                finished.put(due.group.number, due);
            }
        }
        Map.Entry<Long, Due> first = finished.pollFirstEntry();
        if (first != null) {
            emit(first.getValue().group, next);
        }
    }

    private void dropStale(double ts) {
        while (!deadlines.isEmpty() && deadlines.element().ts < ts) {
            Due due = deadlines.remove();
            if (due.isValid() && groups.get(due.group.name) == due.group && !due.group.isComplete()) {
                groups.remove(due.group.name);
                dropped++;
            }
        }
    }

    @Override
    public void drain(Next next) {
        for (FlowGroup group : List.copyOf(groups.values())) {
            if (group.isComplete()) {
                emit(group, next);
            } else {
                dropped++;
            }
        }
        groups.clear();
        ends.clear();
        deadlines.clear();
        finished.clear();
    }

    private void emit(FlowGroup group, Next next) {
        groups.remove(group.name);
        Map<Receive, AiuEvent> receives = new HashMap<>();
        for (AiuEvent helper : group.helpers) {
            if (FlowHelper.type(helper) == FlowHelper.DONE) {
                receives.putIfAbsent(new Receive(FlowHelper.sync(helper), helper.pid), helper);
            }
        }
        List<AiuEvent> flows = new ArrayList<>();
        for (AiuEvent helper : group.helpers) {
            List<?> peers = FlowHelper.peers(helper);
            if (FlowHelper.type(helper) == FlowHelper.SEND && !peers.isEmpty() && peers.get(0) instanceof Long peer) {
                AiuEvent receive = receives.get(new Receive(FlowHelper.sync(helper), peer));
                if (receive != null) {
                    connect(helper, receive, flows);
                }
            }
        }
        if (!flows.isEmpty()) {
            collectives.build(group, flows);
        }
        flows.sort(Comparator.comparingDouble(event -> event.ts));
        flows.forEach(next::accept);
    }

    private void connect(AiuEvent send, AiuEvent receive, List<AiuEvent> flows) {
        long id = ++lastId;
        double end = receive.ts + receive.dur - JUST_BEFORE;
        AiuName name = names.computeIfAbsent(FlowHelper.sync(send), AiuName::new);
        flows.add(arrow('s', name, send, send.ts, id));
        flows.add(arrow('f', name, receive, end, id));
        if (send.ts > end) {
            problems++;
            reversed.merge(new Pair(send.pid, receive.pid), send.ts - end, Math::max);
        }
    }

    private static AiuEvent arrow(char phase, AiuName name, AiuEvent at, double ts, long id) {
        AiuEvent arrow = new AiuEvent(phase, name);
        arrow.category = at.category;
        arrow.ts = ts;
        arrow.pid = at.pid;
        arrow.hasPid = true;
        arrow.tid = at.tid;
        arrow.hasTid = true;
        arrow.wideTid = at.wideTid;
        arrow.other = Args.of("id", id);
        if (phase == 'f') {
            arrow.other.put("bp", "e");
        }
        return arrow;
    }

    @Override
    public void finish(AiuLog log) {
        if (problems > 0) {
            log.warn("FLOW: Number of potential problems detected = " + problems);
            log.info("src\tdst\trecv_before_send");
            reversed.forEach((pair, us) -> log.info(pair.from + "\t" + pair.to + "\t" + Numbers.python(us)));
        }
        if (dropped > 0) {
            log.warn("FLOW: Incomplete flow groups dropped = " + dropped
                    + "  This can be caused by time-synchronization issues. You might try cmdline arg '-S'");
        }
    }
}
