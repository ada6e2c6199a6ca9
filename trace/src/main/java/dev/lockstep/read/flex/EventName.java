// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.flex;

import dev.lockstep.model.SliceKind;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the name of an event says.
 *
 * @param step the step of a job on the device
 * @param remote whether it moves data between devices, or controls such a transfer
 * @param hostKind what it is if it ran on the host, null when the name does not tell
 * @param hostCategory the word for that
 */
record EventName(Step step, boolean remote, @Nullable SliceKind hostKind, String hostCategory) {
    /** Words for the kinds of events begin like this. */
    static final String CATEGORY_PREFIX = "aiu_";

    /** The steps of a job, in the order in which names are searched for them. */
    enum Step {
        DMA_IN(" DmaI", "DMA in"),
        PREPARE(" Cmpt Prep", "preparation"),
        COMPUTE(" Cmpt Exec", "compute"),
        DMA_OUT(" DmaO", "DMA out"),
        /** All of a job, or a part that the name does not tell. */
        ANY("", "jobs");

        private final String mark;
        final String words;

        Step(String mark, String words) {
            this.mark = mark;
            this.words = words;
        }
    }

    /** What only FLEX calls its events on the host. */
    private static final List<String> RUNTIME = List.of(
            "AIU Roundtrip",
            "Flex RoundTrip",
            "PrepareAndSyncRdma",
            "Barrier:",
            "barrier:",
            "PostKeys",
            "FetchKeys",
            "Callback",
            "HostPrep",
            "AllocateFrame of",
            "Update CBs");

    private static final List<String> NODES = List.of("Compute of ", "Execute graph");
    private static final Pattern SYNC = Pattern.compile("\\[sync=(.+?)_s(\\d+)_r(0x[0-9a-fA-F]{1,16}|\\d{1,9})_");
    private static final Pattern PLACE = Pattern.compile("(?<=.)(?:[_-]\\d++|(?<!\\d)\\d++|(?<=^.)\\d++)$");
    private static final Pattern NUMBER = Pattern.compile("(?<=SenRdma(?:Send|Recv|Receive)_)\\d+");

    static EventName of(String name) {
        Step step = Step.ANY;
        for (Step candidate : Step.values()) {
            if (step == Step.ANY && name.contains(candidate.mark)) {
                step = candidate;
            }
        }
        boolean remote = name.contains("Rdma") || name.contains("RDMA") || name.contains("HCOLL");
        if (RUNTIME.stream().anyMatch(name::contains)) {
            return new EventName(step, remote, SliceKind.RUNTIME_CALL, "aiu_runtime");
        }
        if (NODES.stream().anyMatch(name::contains)) {
            return new EventName(step, remote, SliceKind.CPU_OP, "aiu_node");
        }
        return new EventName(step, remote, null, "aiu_host");
    }

    /** The group of collectives that the name of a transfer tells, null when it tells none. */
    static @Nullable String groupIn(String name) {
        Matcher sync = SYNC.matcher(name);
        return sync.find() ? sync.group(1) : null;
    }

    /** Some of the ranks have no bit in {@link #ranksIn}. */
    static final long TOO_MANY = -1;

    /** A bit for each rank between which the name says that data moves, 0 when it does not. */
    static long ranksIn(String name) {
        Matcher sync = SYNC.matcher(name);
        if (!sync.find()) {
            return 0;
        }
        String to = sync.group(3);
        long receivers = to.startsWith("0x") ? Long.parseUnsignedLong(to.substring(2), 16) : bit(to);
        return bit(sync.group(2)) | receivers;
    }

    private static long bit(String rank) {
        int number = rank.length() > 2 ? Long.SIZE : Integer.parseInt(rank);
        return number < Long.SIZE ? 1L << number : TOO_MANY;
    }

    /** The kind of collectives at a place: its name without its number. */
    static String kindOf(String group) {
        return PLACE.matcher(group).replaceFirst("");
    }

    /** The name without what is numbered anew each time; equal for the same part of each repetition of a collective. */
    static String withoutNumber(String name) {
        return name.contains("SenRdma") ? NUMBER.matcher(name).replaceFirst("") : name;
    }

    /** What it is if it ran on the device. */
    SliceKind deviceKind(boolean collective) {
        return switch (step) {
            case PREPARE -> SliceKind.DEVICE_SYNC;
            case DMA_IN, DMA_OUT -> remote || collective ? SliceKind.KERNEL : SliceKind.MEMCPY;
            case COMPUTE, ANY -> SliceKind.KERNEL;
        };
    }

    String deviceCategory(boolean collective) {
        return switch (step) {
            case PREPARE -> "aiu_prep";
            case DMA_IN, DMA_OUT -> remote || collective ? "aiu_rdma" : "aiu_dma";
            case COMPUTE -> "aiu_compute";
            case ANY -> "aiu_job";
        };
    }
}
