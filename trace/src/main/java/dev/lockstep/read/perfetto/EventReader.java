// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.perfetto;

import static dev.lockstep.codec.PerfettoFormat.BYTES;
import static dev.lockstep.codec.PerfettoFormat.EVENT_ANNOTATION;
import static dev.lockstep.codec.PerfettoFormat.EVENT_CATEGORY;
import static dev.lockstep.codec.PerfettoFormat.EVENT_CATEGORY_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.EVENT_DOUBLE_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW;
import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW_END;
import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW_END_OLD;
import static dev.lockstep.codec.PerfettoFormat.EVENT_FLOW_OLD;
import static dev.lockstep.codec.PerfettoFormat.EVENT_GPU_API;
import static dev.lockstep.codec.PerfettoFormat.EVENT_GPU_CORRELATION;
import static dev.lockstep.codec.PerfettoFormat.EVENT_LEGACY;
import static dev.lockstep.codec.PerfettoFormat.EVENT_NAME;
import static dev.lockstep.codec.PerfettoFormat.EVENT_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TRACK;
import static dev.lockstep.codec.PerfettoFormat.EVENT_TYPE;
import static dev.lockstep.codec.PerfettoFormat.FIXED64;
import static dev.lockstep.codec.PerfettoFormat.GPU_SUBMISSION;
import static dev.lockstep.codec.PerfettoFormat.GPU_WAIT;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_ARGUMENT;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_CATEGORY;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_IID;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_IS_JSON;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_NAME;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_STRING;
import static dev.lockstep.codec.PerfettoFormat.INTERNED_TEXT;
import static dev.lockstep.codec.PerfettoFormat.LEGACY_DURATION_US;
import static dev.lockstep.codec.PerfettoFormat.LEGACY_NAME_IID;
import static dev.lockstep.codec.PerfettoFormat.LEGACY_PHASE;
import static dev.lockstep.codec.PerfettoFormat.LEGACY_PID;
import static dev.lockstep.codec.PerfettoFormat.LEGACY_TID;
import static dev.lockstep.codec.PerfettoFormat.TYPE_BEGIN;
import static dev.lockstep.codec.PerfettoFormat.TYPE_COUNTER;
import static dev.lockstep.codec.PerfettoFormat.TYPE_END;
import static dev.lockstep.codec.PerfettoFormat.TYPE_INSTANT;
import static dev.lockstep.codec.PerfettoFormat.VARINT;

import dev.lockstep.codec.JsonCursor;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;

/** Reads track events and the texts they name, and hands on what they say. */
final class EventReader {
    private static final long NS_PER_US = 1000;

    private final FileState file;
    private final Event event = new Event();
    private final Annotations annotation = new Annotations();
    private final RenderStages stages;

    /** @param stages takes the interned data of GPUs */
    EventReader(FileState file, RenderStages stages) {
        this.file = file;
        this.stages = stages;
    }

    /** Reads interned texts. */
    void interned(ProtoCursor in, Sequence sequence) throws Damaged {
        RankEvents events = file.events(sequence);
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case INTERNED_NAME << 3 | BYTES,
                        INTERNED_CATEGORY << 3 | BYTES,
                        INTERNED_ARGUMENT << 3 | BYTES,
                        INTERNED_STRING << 3 | BYTES -> {
                    int outer = in.enter();
                    entry(in, tag >>> 3, sequence, events);
                    in.leave(outer);
                }
                default -> stages.interned(tag, in, sequence, events);
            }
        }
    }

    private static void entry(ProtoCursor in, int kind, Sequence sequence, RankEvents events) throws Damaged {
        long number = 0;
        String text = "";
        boolean json = false;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case INTERNED_IID << 3 | VARINT -> number = in.varint();
                case INTERNED_TEXT << 3 | BYTES -> text = in.text();
                case INTERNED_IS_JSON << 3 | VARINT -> json = in.varint() != 0;
                default -> in.skipField(tag);
            }
        }
        json = json && JsonValues.isJson(text);
        switch (kind) {
            case INTERNED_NAME -> sequence.names.put(number, events.strings().intern(text));
            case INTERNED_CATEGORY ->
                sequence.categories.put(number, events.strings().intern(text));
            case INTERNED_ARGUMENT -> sequence.arguments.put(number, events.argument(text));
            default -> sequence.strings.put(number, events.strings().intern(text) << 1 | (json ? 1 : 0));
        }
    }

    /**
     * Reads an event.
     *
     * @param length bytes of its packet
     */
    void read(ProtoCursor in, long ns, Sequence sequence, int length, long position) throws Damaged {
        RankEvents events = file.events(sequence);
        Event e = event;
        e.clear(ns, file.clocks.base(), sequence.defaultTrack, length);
        ArgumentValues values = events.values();
        values.clear();
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case EVENT_TYPE << 3 | VARINT -> e.type = (int) in.varint();
                case EVENT_TRACK << 3 | VARINT -> e.track = in.varint();
                case EVENT_NAME_IID << 3 | VARINT -> e.name = interned(sequence.names, in.varint());
                case EVENT_NAME << 3 | BYTES -> e.name = events.strings().intern(in.text());
                case EVENT_CATEGORY_IID << 3 | VARINT -> category(interned(sequence.categories, in.varint()));
                case EVENT_CATEGORY << 3 | BYTES -> category(events.strings().intern(in.text()));
                case EVENT_FLOW << 3 | FIXED64 -> e.flows.add(in.fixed64());
                case EVENT_FLOW_END << 3 | FIXED64 -> e.flowEnds.add(in.fixed64());
                case EVENT_FLOW_OLD << 3 | VARINT -> e.flows.add(in.varint());
                case EVENT_FLOW_END_OLD << 3 | VARINT -> e.flowEnds.add(in.varint());
                case EVENT_COUNTER << 3 | VARINT -> {
                    e.counter = in.varint();
                    e.counterIsWhole = true;
                }
                case EVENT_DOUBLE_COUNTER << 3 | FIXED64 -> e.counter = Double.longBitsToDouble(in.fixed64());
                case EVENT_ANNOTATION << 3 | BYTES -> {
                    int outer = in.enter();
                    annotation.read(in, sequence, events);
                    in.leave(outer);
                    values.take(annotation, events);
                }
                case EVENT_LEGACY << 3 | BYTES -> {
                    int outer = in.enter();
                    legacy(in, sequence);
                    in.leave(outer);
                }
                case EVENT_GPU_CORRELATION << 3 | BYTES -> {
                    int outer = in.enter();
                    submissions(in);
                    in.leave(outer);
                }
                case EVENT_GPU_API << 3 | VARINT -> {
                    e.isGpuCall = true;
                    in.skipField(tag);
                }
                default -> packedFlows(in, tag);
            }
        }
        if (e.track == 0 && (e.pid >= 0 || e.tid >= 0)) {
            e.track = file.tracks.thread(Math.max(0, e.pid), e.tid);
        }
        accept(events, sequence, position);
    }

    /** The text of a number; -1, which the event notes, where its sequence has none: the packet that said it is not there. */
    private int interned(Sequence.Texts texts, long number) {
        int known = texts.get(number);
        event.lacksText |= known < 0 && number != 0;
        return known;
    }

    /** Repeated numbers may come packed into one field. */
    private void packedFlows(ProtoCursor in, int tag) throws Damaged {
        if (tag != (EVENT_FLOW << 3 | BYTES) && tag != (EVENT_FLOW_END << 3 | BYTES)) {
            in.skipField(tag);
            return;
        }
        int outer = in.enter();
        while (!in.isAtEnd()) {
            (tag >>> 3 == EVENT_FLOW ? event.flows : event.flowEnds).add(in.fixed64());
        }
        in.leave(outer);
    }

    /** The render stages that a call submitted, and those that it waited for. */
    private void submissions(ProtoCursor in) throws Damaged {
        event.isGpuCall = true;
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            if (tag >>> 3 == GPU_SUBMISSION) {
                in.numbers(tag, event.submissions::add);
            } else if (tag >>> 3 == GPU_WAIT) {
                in.numbers(tag, event.awaited::add);
            } else {
                in.skipField(tag);
            }
        }
    }

    /** Of several categories the first one counts. */
    private void category(int poolId) {
        if (event.category < 0) {
            event.category = poolId;
        }
    }

    private void legacy(ProtoCursor in, Sequence sequence) throws Damaged {
        for (int tag = in.tag(); tag != 0; tag = in.tag()) {
            switch (tag) {
                case LEGACY_PHASE << 3 | VARINT -> event.phase = (int) in.varint();
                case LEGACY_DURATION_US << 3 | VARINT -> {
                    long us = in.varint();
                    event.duration = us < 0 || us > JsonCursor.LATEST_NS / NS_PER_US ? -1 : us * NS_PER_US;
                }
                case LEGACY_NAME_IID << 3 | VARINT -> event.name = interned(sequence.names, in.varint());
                case LEGACY_PID << 3 | VARINT -> event.pid = (int) in.varint();
                case LEGACY_TID << 3 | VARINT -> event.tid = (int) in.varint();
                default -> in.skipField(tag);
            }
        }
    }

    private void accept(RankEvents events, Sequence sequence, long position) {
        if (event.lacksText && event.kind() != TYPE_END) {
            file.stateMissing(position);
        }
        switch (event.kind()) {
            case TYPE_BEGIN -> events.begin(event);
            case TYPE_END -> events.end(event);
            case TYPE_INSTANT -> events.instant(event);
            case TYPE_COUNTER -> events.counter(event, sequence);
            case Event.COMPLETE -> events.complete(event);
            default ->
                file.observe(
                        "unknown_event",
                        "an event of a type that is not known here was left out (phase " + event.phase + ")",
                        position);
        }
    }
}
