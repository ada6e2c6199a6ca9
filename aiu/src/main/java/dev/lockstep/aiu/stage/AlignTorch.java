// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.stage;

import dev.lockstep.aiu.pipeline.AiuEvent;
import dev.lockstep.aiu.pipeline.AiuLog;
import dev.lockstep.aiu.pipeline.AiuName;
import dev.lockstep.aiu.pipeline.Stage;
import dev.lockstep.write.Numbers;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code time_alignment}: brings events of FLEX onto the clock of the torch profile of the same rank, where both are among
 * the inputs. The n-th round trip of FLEX belongs to the n-th call in the profile that waited for one and must end within it:
 * the smallest difference of their ends is what FLEX's clock is off by.
 */
final class AlignTorch implements Stage {
    private static final String ROUND_TRIP = "Flex RoundTrip";

    /** What waits for round trips, the most exact first. */
    private static final List<String> CALLS =
            List.of("built-in method Predict of PyCapsule object", "Torch-Compiled Region");

    /** Starts and ends of the events that are compared, in order of start. */
    private static final class References {
        private final TreeMap<Double, Deque<Double>> ends = new TreeMap<>();
        private int size;

        void add(double start, double end) {
            ends.computeIfAbsent(start, s -> new ArrayDeque<>()).add(end);
            size++;
        }

        double[] inOrder() {
            return ends.values().stream()
                    .flatMap(Deque::stream)
                    .mapToDouble(Double::doubleValue)
                    .toArray();
        }
    }

    private final AiuLog log;
    private final Deque<AiuEvent> held = new ArrayDeque<>();
    private final Map<AiuName, Integer> priorities = new HashMap<>();
    private final Map<Long, References> trips = new TreeMap<>();
    private final List<Map<Long, References>> calls = List.of(new TreeMap<>(), new TreeMap<>());

    AlignTorch(AiuLog log) {
        this.log = log;
    }

    @Override
    public String name() {
        return "time_alignment";
    }

    @Override
    public void accept(AiuEvent event, Next next) {
        held.add(event);
        if (!event.isComplete() || event.job == null) {
            return;
        }
        if (!event.isTorch()) {
            if (event.name.text().contains(ROUND_TRIP)) {
                trips.computeIfAbsent(event.pid, pid -> new References()).add(event.ts, event.end());
            }
            return;
        }
        int priority = priorities.computeIfAbsent(event.name, AlignTorch::priority);
        if (priority >= 0) {
            calls.get(priority)
                    .computeIfAbsent((long) event.rank, rank -> new References())
                    .add(event.ts, event.end());
        }
    }

    private static int priority(AiuName name) {
        for (int i = 0; i < CALLS.size(); i++) {
            if (name.text().contains(CALLS.get(i))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void drain(Next next) {
        Map<Long, Double> offsets = offsets();
        for (AiuEvent event = held.poll(); event != null; event = held.poll()) {
            Double offset = event.isTorch() || !event.hasPid ? null : offsets.get(event.pid);
            if (offset != null) {
                event.ts += offset;
                double[] host = event.device == null ? null : event.device.host;
                for (int i = 0; host != null && i < host.length; i++) {
                    host[i] += offset;
                }
            }
            next.accept(event);
        }
    }

    private Map<Long, Double> offsets() {
        Map<Long, Double> offsets = new HashMap<>();
        trips.forEach((pid, own) -> {
            References wanted = callsOf(pid);
            if (wanted == null) {
                return;
            }
            if (wanted.size != own.size) {
                log.warn("TALN: rank " + pid + " has " + own.size + " round trips of FLEX and " + wanted.size
                        + " calls in the torch profile; the first ones are compared");
            }
            double offset = offset(wanted.inOrder(), own.inOrder());
            log.info("TALN: Flex Time Offset for " + pid + ": " + Numbers.python(offset));
            offsets.put(pid, offset);
        });
        return offsets;
    }

    /** The calls of a rank; with one rank on each side, these belong together whatever their numbers. */
    private @Nullable References callsOf(long pid) {
        for (Map<Long, References> byRank : calls) {
            References own = byRank.get(pid);
            if (own == null && trips.size() == 1 && byRank.size() == 1) {
                own = byRank.values().iterator().next();
            }
            if (own != null) {
                return own;
            }
        }
        return null;
    }

    /** The smallest difference of two ends, 0 when there is none. */
    static double offset(double[] torchEnds, double[] flexEnds) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < Math.min(torchEnds.length, flexEnds.length); i++) {
            least = Math.min(least, torchEnds[i] - flexEnds[i]);
        }
        return Double.isInfinite(least) ? 0 : least;
    }
}
