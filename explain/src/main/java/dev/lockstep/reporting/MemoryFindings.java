// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.Confidence;
import dev.lockstep.analyze.memory.AllocationOwners;
import dev.lockstep.analyze.memory.AllocatorLog.Loss;
import dev.lockstep.analyze.memory.DeviceMemory;
import dev.lockstep.analyze.memory.DeviceMemory.Holder;
import dev.lockstep.analyze.memory.MemoryUse;
import dev.lockstep.analyze.memory.MemoryUse.Failure;
import dev.lockstep.analyze.memory.MemoryUse.HeldSegment;
import dev.lockstep.model.MemoryDetails;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Finding;
import dev.lockstep.report.Finding.Severity;
import dev.lockstep.words.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What is said about memory: who holds the peak, what grows, what is held for nothing. */
final class MemoryFindings {
    private static final double MUCH = 0.2;
    private static final double NOTABLE = 0.1;

    /** A device has memory enough where less of it is unused. */
    private static final double LITTLE = 0.05;

    private static final long WORTH = 256L << 20;
    private static final double WORTH_NAMING = 0.005;
    private static final int MOST_OWNERS = 3;
    private static final long FEW_STEPS = 1000;
    private static final long MANY_STEPS = 10_000;

    private MemoryFindings() {}

    /** The findings about all devices but the host: errors first, then leaks, then peaks and what they hold. */
    static List<Finding> of(MemoryUse.Result result) {
        return of(result, Double.NaN);
    }

    /**
     * The same, of devices of a known size.
     *
     * @param deviceBytes memory of a device, NaN where it is unknown
     */
    static List<Finding> of(MemoryUse.Result result, double deviceBytes) {
        List<Finding> findings = new ArrayList<>();
        failures(result.failures(), findings);
        List<Finding> rest = new ArrayList<>();
        Rows before = new Rows(0, 0, 0);
        for (DeviceMemory device : result.devices()) {
            if (device.log().device() != MemoryDetails.HOST) {
                growth(before, device, findings);
                peak(device, rest);
                fragmentation(before, device, result, deviceBytes, rest);
                loss(device, rest);
            }
            before = before.and(device);
        }
        findings.addAll(rest);
        if (result.devices().isEmpty()) {
            segments(result.segments(), findings);
        }
        return findings;
    }

    /** The error comes before anything else: it is why most people own a snapshot. */
    private static void failures(List<Failure> failures, List<Finding> findings) {
        Map<Long, List<Failure>> byDevice =
                failures.stream().collect(Collectors.groupingBy(Failure::device, TreeMap::new, Collectors.toList()));
        byDevice.forEach((device, some) -> {
            Failure last = some.getLast();
            findings.add(new Finding(
                            Severity.PROBLEM,
                            "out_of_memory",
                            "Device " + device + " ran out of memory: " + Words.name(last.place()) + " requested "
                                    + Words.bytes(last.bytes())
                                    + (last.free() < 0 ? "" : " with " + Words.bytes(last.free()) + " free")
                                    + ". The allocator had reserved " + Words.bytes(last.reserved()) + ", "
                                    + Words.bytes(last.allocated()) + " of it allocated."
                                    + (some.size() == 1
                                            ? ""
                                            : " It is the last of " + Words.count(some.size()) + " such requests."),
                            "memory_failures")
                    .on(Evidence.Rows.of("memory_failures", failures, failure -> failure.device() == device)));
        });
    }

    /** What a snapshot without a history says: how much is held at its end. */
    private static void segments(List<HeldSegment> segments, List<Finding> findings) {
        Map<Long, List<HeldSegment>> byDevice = segments.stream()
                .collect(Collectors.groupingBy(HeldSegment::device, TreeMap::new, Collectors.toList()));
        byDevice.forEach((device, some) -> {
            long total = some.stream().mapToLong(HeldSegment::total).sum();
            long free = some.stream().mapToLong(HeldSegment::free).sum();
            findings.add(new Finding(
                            Severity.INFO,
                            "memory_held",
                            "Device " + device + " has " + Words.bytes(total) + " reserved in "
                                    + Words.count(some.size(), "segment", "segments") + ": "
                                    + Words.bytes(total - free) + " allocated, " + Words.bytes(free)
                                    + " unused. The snapshot does not say who allocated them."
                                    + " torch.cuda.memory._record_memory_history() records it.",
                            "memory_segments")
                    .on(Evidence.Rows.of("memory_segments", segments, held -> held.device() == device)));
        });
    }

    /** How many rows of {@code memory_steps}, {@code memory_kept} and {@code memory_growth} are about devices before one. */
    private record Rows(int steps, int kept, int growth) {
        /** A device has a row about all of it before those of its steps. */
        Rows and(DeviceMemory device) {
            return new Rows(
                    steps + 1 + device.steps().size(),
                    kept + device.kept().size(),
                    growth + (device.growth().isKnown() ? 1 : 0));
        }
    }

    private static void growth(Rows before, DeviceMemory device, List<Finding> findings) {
        if (!device.kept().isEmpty()) {
            leftBehind(before, device, findings);
        }
        Confidence growth = device.growth();
        if (!(growth.low() > device.keptBytesPerStep())) {
            return;
        }
        List<Holder> kept = device.keptFromSteps();
        findings.add(new Finding(
                        Severity.PROBLEM,
                        "memory_leak",
                        "Memory grows on device " + device.device() + ": each step begins with "
                                + Words.bytes(Math.round(growth.mean())) + " more than the one before. With 95 %"
                                + " confidence it is " + Words.bytes(Math.round(growth.low())) + " to "
                                + Words.bytes(Math.round(growth.high())) + ", from "
                                + device.steps().size() + " steps."
                                + (kept.isEmpty()
                                        ? ""
                                        : " Of what the steps never free, " + holders(kept, sum(kept)) + "."),
                        "memory_growth")
                .on(new Evidence.Rows("memory_growth", List.of(before.growth))));
    }

    private static void leftBehind(Rows before, DeviceMemory device, List<Finding> findings) {
        long bytes = device.keptBytesPerStep();
        String owners = device.kept().stream()
                .limit(MOST_OWNERS)
                .map(kept -> " " + Words.name(kept.owner()) + " allocates "
                        + (device.kept().size() == 1 ? "it (" : "a part (")
                        + Words.count(kept.blocks(), "block", "blocks") + " of " + Words.bytes(kept.bytes()) + " in "
                        + kept.steps() + " of " + device.steps().size() + " steps).")
                .collect(Collectors.joining());
        int others = device.kept().size() - MOST_OWNERS;
        findings.add(new Finding(
                        bytes * MANY_STEPS < device.whole().peak() ? Severity.NOTICE : Severity.PROBLEM,
                        "memory_leak",
                        "Memory leaks on device " + device.device() + ": each step keeps " + Words.bytes(bytes)
                                + " that nothing frees." + owners
                                + (others > 0
                                        ? " " + Words.count(others, "other owner has", "other owners have")
                                                + " the rest."
                                        : "")
                                + " " + Words.count(FEW_STEPS) + " steps leak " + Words.bytes(bytes * FEW_STEPS) + ".",
                        "memory_kept")
                .on(new Evidence.Rows(
                        "memory_kept",
                        IntStream.range(before.kept, before.kept + device.kept().size())
                                .boxed()
                                .toList())));
    }

    /** What replayed graphs use of their private pools is not allocated either: it is no fragment. */
    private static void fragmentation(
            Rows before, DeviceMemory device, MemoryUse.Result result, double deviceBytes, List<Finding> findings) {
        long reserved = device.whole().reserved();
        long idle = reserved - device.whole().peak();
        if (reserved < 0 || !isWorth(idle, reserved)) {
            return;
        }
        long pools = Math.min(
                idle,
                result.segments().stream()
                        .filter(held -> held.device() == device.log().device() && held.pool() != 0)
                        .mapToLong(MemoryUse.HeldSegment::free)
                        .sum());
        long rest = idle - pools;
        Evidence[] proof = {new Evidence.Rows("memory_steps", List.of(before.steps)), atPeak(device)};
        String held = "Device " + device.device() + " at peak: " + Words.bytes(reserved) + " reserved, ";
        if (isWorth(pools, reserved)) {
            findings.add(new Finding(
                            Severity.INFO,
                            "memory_private_pools",
                            held + Words.bytes(pools) + " (" + Words.share(pools, reserved)
                                    + ") of it unused in private pools. CUDA graphs use theirs during replay, which no"
                                    + " allocation shows.",
                            "memory_segments: pool, free bytes")
                    .on(proof));
        }
        if (isWorth(rest, reserved)) {
            findings.add(new Finding(
                            rest < deviceBytes * LITTLE
                                    ? Severity.INFO
                                    : rest < reserved * MUCH || result.graphs() ? Severity.NOTICE : Severity.PROBLEM,
                            "memory_fragmentation",
                            held + Words.bytes(rest) + " (" + Words.share(rest, reserved) + ") "
                                    + "of it unused"
                                    + (pools > 0 ? " in the common pool" : "")
                                    + (result.graphs()
                                            ? ". Causes: private pools of CUDA graphs, fragmentation, or memory cached"
                                                    + " before the trace began. A memory snapshot separates the pools."
                                            : ". Causes: fragmentation, or memory cached before the trace began.")
                                    + " PYTORCH_ALLOC_CONF=expandable_segments:True reduces fragmentation.",
                            "memory_steps: fragmentation bytes")
                    .on(proof));
        }
    }

    private static boolean isWorth(long bytes, long reserved) {
        return bytes >= WORTH && bytes >= reserved * NOTABLE;
    }

    private static void peak(DeviceMemory device, List<Finding> findings) {
        List<Holder> holders = device.holders();
        if (holders.isEmpty() || device.whole().peak() <= 0) {
            return;
        }
        findings.add(new Finding(
                        Severity.INFO,
                        "memory_peak",
                        "Device " + device.device() + " allocates "
                                + Words.bytes(device.whole().peak()) + " at its peak. "
                                + capital(holders(holders, device.whole().peak())) + ".",
                        "memory_peak")
                .on(atPeak(device)));
    }

    private static void loss(DeviceMemory device, List<Finding> findings) {
        Loss loss = device.log().loss();
        List<String> parts = new ArrayList<>();
        if (loss.againFrees() > 0) {
            parts.add(Words.count(loss.againFrees(), "block is", "blocks are") + " freed twice ("
                    + Words.bytes(loss.againBytes()) + ").");
        }
        if (loss.lostFrees() > 0) {
            parts.add(Words.count(loss.lostFrees(), "address is", "addresses are") + " allocated twice.");
        }
        if (loss.brokenTotals() > 0) {
            parts.add(Words.count(loss.brokenTotals(), "recorded total differs", "recorded totals differ")
                    + " from every sum of events.");
        }
        if (device.isHistoryCapped()) {
            parts.add("The history has exactly 100,000 entries, where PyTorch cuts it.");
        }
        if (!parts.isEmpty()) {
            findings.add(new Finding(
                    Severity.NOTICE,
                    "memory_incomplete",
                    "The memory events of device " + device.device() + " are incomplete. " + String.join(" ", parts),
                    "memory_loss"));
        }
    }

    private static Evidence atPeak(DeviceMemory device) {
        long at = device.whole().peakAt();
        return Evidence.place("peak of device " + device.device(), at, at + 1, 1);
    }

    private static long sum(List<Holder> holders) {
        return holders.stream().mapToLong(Holder::bytes).sum();
    }

    /** Who holds most, with the verb behind the first. */
    private static String holders(List<Holder> holders, long whole) {
        Holder first = holders.getFirst();
        return holders.stream()
                .limit(MOST_OWNERS)
                .filter(holder -> holder.equals(first) || holder.bytes() >= whole * WORTH_NAMING)
                .map(holder -> owner(holder)
                        + (!holder.equals(first) ? " " : isBefore(holder) ? " hold " : " holds ")
                        + Words.share(holder.bytes(), whole))
                .collect(Collectors.joining(", "));
    }

    private static String owner(Holder holder) {
        return isBefore(holder)
                ? "blocks from before the trace"
                : holder.owner().equals(AllocationOwners.OUTSIDE)
                        ? "code outside of operators"
                        : Words.name(holder.owner());
    }

    private static boolean isBefore(Holder holder) {
        return holder.owner().equals(DeviceMemory.BASELINE);
    }

    private static String capital(String text) {
        return text.startsWith("blocks ") || text.startsWith("code ") ? Words.capitalized(text) : text;
    }
}
