// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.AiuRules;
import dev.lockstep.aiu.pipeline.DeviceTimes;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.write.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code mp_sync_tight_v1}: brings the clocks of the devices together. Receivers of a collective have their data when
 * its last sender has sent it, which tells how far the device clocks are apart; all events of devices then stand where
 * the clock of rank 0 puts them. Host events stay.
 */
final class MpSync implements Stage {
    private static final String TREE = "AllReduce_all_reduce";
    private static final int RECEIVED = 1;
    private static final int SENT = 4;

    private record Member(long pid, String group) {}

    private final AiuRules.Sync rules;
    private final AiuLog log;
    private List<AiuEvent> events = new ArrayList<>();
    private final Map<Member, List<AiuEvent>> members = new HashMap<>();
    private final TransferClocks transfers = new TransferClocks();
    private final Set<String> groups = new LinkedHashSet<>();
    private final Set<Long> pids = new LinkedHashSet<>();

    MpSync(AiuRules.Sync rules, AiuLog log) {
        this.rules = rules;
        this.log = log;
    }

    @Override
    public String name() {
        return "mp_sync_tight_v1";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        events.add(event);
        String group = event.args == null ? null : event.args.text("CollGroup");
        if ((event.phase == 'X' || event.phase == 'b') && group != null && event.device != null) {
            pids.add(event.pid);
            if (event.pid == 0) {
                groups.add(group);
            }
            members.computeIfAbsent(new Member(event.pid, group), key -> new ArrayList<>())
                    .add(event);
            if (rules.byTransfers()) {
                transfers.add(event);
            }
        }
    }

    @Override
    public void drain(Next next) {
        if (groups.isEmpty() || pids.size() < 2) {
            log.info("MP SYNC: no collective group detected or single process, no action");
        } else {
            synchronize();
        }
        members.clear();
        @Nullable AiuEvent[] ordered = ordered();
        events = new ArrayList<>();
        for (int i = 0; i < ordered.length; i++) {
            AiuEvent event = ordered[i];
            ordered[i] = null;
            if (event != null) {
                next.accept(event);
            }
        }
    }

    private AiuEvent[] ordered() {
        AiuEvent[] ordered = events.toArray(AiuEvent[]::new);
        if (!rules.keepsOrder()) {
            for (int i = 0, j = ordered.length - 1; i < j; i++, j--) {
                AiuEvent last = ordered[j];
                ordered[j] = ordered[i];
                ordered[i] = last;
            }
        }
        Arrays.sort(ordered, (a, b) -> Double.compare(a.ts, b.ts));
        return ordered;
    }

    private void synchronize() {
        List<String> used = groups.stream().filter(g -> g.contains("AllReduce")).toList();
        List<String> all = used.isEmpty() ? List.copyOf(groups) : used;
        List<String> common = all.stream()
                .filter(g -> pids.stream().allMatch(p -> members.containsKey(new Member(p, g))))
                .toList();
        boolean numbered = pids.stream().allMatch(pid -> pid >= 0 && pid < pids.size());
        if (!numbered || common.isEmpty() || rules.groups() == AiuRules.SyncGroups.ALL && common.size() < all.size()) {
            log.error("Detected an event/process that has no contribution to collective op."
                    + " Unable to sync based on collectives. Use -M option to skip alignment.");
            if (rules.groups() == AiuRules.SyncGroups.ALL) {
                throw new UserException(
                        ErrorCode.RANKS_INCONSISTENT,
                        "a process takes no part in a collective",
                        "-M skips the alignment");
            }
            return;
        }
        apply(common);
    }

    private void apply(List<String> used) {
        int count = pids.size();
        boolean tree = isTree(used);
        long[] order = new long[count];
        for (int i = 0; i < count; i++) {
            order[i] = tree ? i : count - 1 - i;
        }
        double[] shifts = new double[count];
        if (count > 2) {
            shiftReceivers(used, order, shifts);
        }
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        for (int g = 0; g < used.size(); g++) {
            double difference = latest(order[1], used.get(g), RECEIVED) - latest(order[0], used.get(g), SENT);
            if (difference < least) {
                least = difference;
                best = g;
            }
        }
        TransferClocks.Fit fit = transfers.fit(count);
        if (fit != null) {
            shifts = fit.shifts();
        } else if (tree) {
            for (int p = 1; p < count; p++) {
                shifts[(int) order[p]] -= least;
            }
        } else {
            shifts[(int) order[0]] += least;
        }
        int anchorCounter = tree ? SENT : RECEIVED;
        AiuEvent anchor = latestEvent(0, used.get(best), anchorCounter);
        double offset = anchor.ts + anchor.dur - device(anchor, anchorCounter);
        say(anchor, offset, shifts);
        if (fit != null) {
            say(fit);
        }
        for (AiuEvent event : events) {
            if (event.device != null && event.pid >= 0 && event.pid < count) {
                move(event, event.device, shifts[(int) event.pid], offset);
            }
        }
    }

    private boolean isTree(List<String> used) {
        for (AiuEvent event : members.getOrDefault(new Member(0, used.get(0)), List.of())) {
            if (rules.algorithm().apply(event.name.text()).contains(TREE)) {
                return true;
            }
        }
        return false;
    }

    /** Receivers of one transfer have it at the same time: shifts all to the first one. */
    private void shiftReceivers(List<String> used, long[] order, double[] shifts) {
        String reference = used.get(rules.reference() == AiuRules.SyncReference.CLOSEST ? closest(used, order) : 0);
        double first = latest(order[1], reference, RECEIVED);
        for (int p = 2; p < order.length; p++) {
            shifts[(int) order[p]] -= latest(order[p], reference, RECEIVED) - first;
        }
    }

    /** The group whose receivers deviate least from one another. */
    private int closest(List<String> used, long[] order) {
        int best = 0;
        double least = Double.POSITIVE_INFINITY;
        double[] mean = new double[order.length];
        for (int p = 1; p < order.length; p++) {
            for (String group : used) {
                mean[p] += latest(order[p], group, RECEIVED) / used.size();
            }
        }
        for (int g = 0; g < used.size(); g++) {
            double center = 0;
            for (int p = 1; p < order.length; p++) {
                center += (latest(order[p], used.get(g), RECEIVED) - mean[p]) / (order.length - 1);
            }
            double square = 0;
            for (int p = 1; p < order.length; p++) {
                double deviation = latest(order[p], used.get(g), RECEIVED) - mean[p] - center;
                square += deviation * deviation;
            }
            if (square < least) {
                least = square;
                best = g;
            }
        }
        return best;
    }

    private double latest(long pid, String group, int counter) {
        return device(latestEvent(pid, group, counter), counter);
    }

    private AiuEvent latestEvent(long pid, String group, int counter) {
        List<AiuEvent> of = members.getOrDefault(new Member(pid, group), List.of());
        AiuEvent latest = of.get(0);
        for (AiuEvent event : of) {
            if (device(event, counter) >= device(latest, counter)) {
                latest = event;
            }
        }
        return latest;
    }

    private static double device(AiuEvent event, int counter) {
        DeviceTimes times = event.device;
        return times == null || !times.isMapped() ? 0 : times.device(counter);
    }

    private static void move(AiuEvent event, DeviceTimes times, double shift, double offset) {
        if (!times.isMapped()) {
            return;
        }
        times.shift(shift);
        double[] host = times.toHost();
        for (int i = 0; i < host.length; i++) {
            host[i] = times.device(i) + offset;
        }
        int step = event.name.step();
        event.ts = host[step == AiuName.NO_STEP ? 0 : step];
    }

    private void say(TransferClocks.Fit fit) {
        if (fit.contradictionUs() > 0) {
            log.warn("MP_SYNC: transfers contradict each other; some end up to " + Numbers.python(fit.contradictionUs())
                    + " us before they begin, on any clocks");
        } else if (Double.isNaN(fit.errorUs())) {
            log.info("MP_SYNC: clocks fit all transfers, which go one way only; they may be further apart");
        } else {
            log.info("MP_SYNC: clocks fit all transfers, to " + Numbers.python(fit.errorUs()) + " us");
        }
    }

    private void say(AiuEvent anchor, double offset, double[] shifts) {
        log.info("MP_SYNC_V2 delta_t5, dts_2_hts_ref_event:   " + anchor.name);
        log.info("MP_SYNC_V2 delta_t5, dts_2_hts_ref_offset:  " + Numbers.python(offset));
        StringBuilder list = new StringBuilder();
        for (double shift : shifts) {
            list.append(list.isEmpty() ? "" : ", ").append(Numbers.python(shift));
        }
        log.info("MP_SYNC_V2 delta_t5, dts_shifts:            [" + list + "]");
    }
}
