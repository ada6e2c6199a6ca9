// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import org.jspecify.annotations.Nullable;

/**
 * An event on its way through the pipeline, changed in place by the stages. What most events have are fields; the rest
 * lies in {@link #args} and {@link #other}.
 */
public final class AiuEvent {
    public static final int NO_RANK = Integer.MIN_VALUE;

    /** The letter of the phase: X, B, E, b, e, i, C, M, s, f, or F for helpers that never leave the pipeline. */
    public char phase;

    public AiuName name;
    public @Nullable String category;

    /** Microseconds; NaN when absent. */
    public double ts = Double.NaN;

    public double dur = Double.NaN;

    /** Order among samples of a counter, NaN for all other events. */
    public double key = Double.NaN;

    public long pid;
    public long tid;
    public boolean hasPid;
    public boolean hasTid;

    /** Whether the thread's number is an unsigned one beyond the range of {@code long}. */
    public boolean wideTid;

    /** The file it comes from, null for counters, flows, metadata. */
    public @Nullable Job job;

    /** Whether the file is named in the arguments. */
    public boolean namesJob;

    /** Rank in the arguments. */
    public int rank = NO_RANK;

    /** Rank of the file, where all that a file holds is of one rank; {@link #NO_RANK} otherwise. */
    public int worker = NO_RANK;

    /** Class in the arguments, null before it is known. */
    public @Nullable String kind;

    /** Whether the arguments name the device; its number is the process. */
    public boolean namesDevice;

    public @Nullable DeviceTimes device;

    /** Whether the file has arguments for it, even none. */
    public boolean hasArgs;

    /** Further arguments; null when there are none. */
    public @Nullable Args args;

    /** Further members beside the arguments, such as id, bp, s. */
    public @Nullable Args other;

    /** Whether the last stage that changes arguments has seen it. */
    public boolean finished;

    /** Whether the arguments were called {@code attr}, as FLEX does before normalisation. */
    public boolean attr;

    public AiuEvent(char phase, AiuName name) {
        this.phase = phase;
        this.name = name;
    }

    public static AiuEvent counter(AiuName name, double ts, long pid, @Nullable String category, Args args) {
        AiuEvent event = new AiuEvent('C', name);
        event.ts = ts;
        event.pid = pid;
        event.hasPid = true;
        event.category = category;
        event.args = args;
        return event;
    }

    public double end() {
        return ts + dur;
    }

    /** Duration for orders, in which a missing one counts as zero. */
    public double length() {
        return Double.isNaN(dur) ? 0 : dur;
    }

    public boolean isComplete() {
        return phase == 'X';
    }

    public boolean isTorch() {
        return job != null && job.origin() == EventOrigin.TORCH;
    }

    /** Whether it ran on the device, as those who wrote the file tell. */
    public boolean isAccelerator() {
        if (isTorch()) {
            return category != null && (category.contains("gpu") || category.contains("kernel"));
        }
        return device != null;
    }

    public void put(String key, Object value) {
        if (args == null) {
            args = new Args();
        }
        args.put(key, value);
    }

    public @Nullable Object get(String key) {
        return args == null ? null : args.get(key);
    }

    public @Nullable Object remove(String key) {
        return args == null ? null : args.remove(key);
    }

    public AiuEvent copy() {
        AiuEvent copy = new AiuEvent(phase, name);
        copy.category = category;
        copy.ts = ts;
        copy.dur = dur;
        copy.key = key;
        copy.pid = pid;
        copy.tid = tid;
        copy.hasPid = hasPid;
        copy.hasTid = hasTid;
        copy.wideTid = wideTid;
        copy.job = job;
        copy.namesJob = namesJob;
        copy.rank = rank;
        copy.worker = worker;
        copy.kind = kind;
        copy.namesDevice = namesDevice;
        copy.device = device == null ? null : device.copy();
        copy.args = args == null ? null : args.copy();
        copy.other = other == null ? null : other.copy();
        copy.finished = finished;
        copy.attr = attr;
        copy.hasArgs = hasArgs;
        return copy;
    }
}
