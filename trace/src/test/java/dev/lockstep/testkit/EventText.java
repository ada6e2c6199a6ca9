// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Writes events as the profiler does, one a line, for traces that a test computes. Times are in ns. */
public final class EventText {
    private final List<String> events = new ArrayList<>();

    /** Adds an event as it stands. */
    public EventText raw(String event) {
        events.add(event);
        return this;
    }

    /** A complete event; {@code args} is the inside of an object. */
    public EventText complete(String category, String name, String pid, String tid, long ts, long dur, String args) {
        return raw("{\"ph\": \"X\", \"cat\": \"" + category + "\", \"name\": \"" + name + "\", \"pid\": " + pid
                + ", \"tid\": " + tid + ", \"ts\": " + us(ts) + ", \"dur\": " + us(dur) + ", \"args\": {" + args
                + "}}");
    }

    /** An operator on thread 1 of process 1. */
    public EventText op(String name, long ts, long dur) {
        return op(name, ts, dur, "");
    }

    /** An operator with arguments. */
    public EventText op(String name, long ts, long dur, String args) {
        return complete("cpu_op", name, "1", "1", ts, dur, args);
    }

    /** A frame of the Python stack on the same thread. */
    public EventText python(String name, long ts, long dur) {
        return complete("python_function", name, "1", "1", ts, dur, "");
    }

    /** An annotation on the same thread. */
    public EventText annotation(String name, long ts, long dur) {
        return complete("user_annotation", name, "1", "1", ts, dur, "");
    }

    /** A call of the runtime on the same thread. */
    public EventText call(String name, long ts, long dur, long correlation) {
        return complete("cuda_runtime", name, "1", "1", ts, dur, "\"correlation\": " + correlation);
    }

    /** A kernel on device 0. */
    public EventText kernel(String name, long ts, long dur, long correlation, int stream) {
        return device("kernel", name, ts, dur, correlation, stream, "");
    }

    /** A device activity on device 0. */
    public EventText device(
            String category, String name, long ts, long dur, long correlation, int stream, String args) {
        return complete(
                category,
                name,
                "0",
                Integer.toString(stream),
                ts,
                dur,
                "\"device\": 0, \"stream\": " + stream + ", \"correlation\": " + correlation
                        + (args.isEmpty() ? "" : ", " + args));
    }

    /** The arrow from a call to what it launched. */
    public EventText arrow(long id, long from, long to, int stream) {
        raw("{\"ph\": \"s\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": " + id
                + ", \"pid\": 1, \"tid\": 1, \"ts\": " + us(from) + "}");
        return raw("{\"ph\": \"f\", \"bp\": \"e\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": " + id
                + ", \"pid\": 0, \"tid\": " + stream + ", \"ts\": " + us(to) + "}");
    }

    /** A call, the arrow, and the kernel it launches. */
    public EventText launch(String kernel, long callTs, long ts, long dur, long correlation, int stream) {
        return call("cudaLaunchKernel", callTs, 1_000, correlation)
                .arrow(correlation, callTs, ts, stream)
                .kernel(kernel, ts, dur, correlation, stream);
    }

    /** The same events in another order. */
    public EventText shuffled(long seed) {
        EventText other = new EventText();
        other.events.addAll(events);
        Collections.shuffle(other.events, new Random(seed));
        return other;
    }

    public List<String> events() {
        return List.copyOf(events);
    }

    private static String us(long ns) {
        return BigDecimal.valueOf(ns, 3).toPlainString();
    }

    @Override
    public String toString() {
        return String.join(",\n", events);
    }
}
