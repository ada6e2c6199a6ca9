// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.synth;

import dev.lockstep.synth.EventKind.Flow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The text of one kind of event on one thread or stream of one rank, with holes for its numbers, laid out as Kineto's
 * {@code output_json.cpp} does: {@code ph} first, times on the second line, {@code args} below, the flow event after it.
 */
final class EventText {
    private final byte[][] pieces;
    private final Slot[] slots;

    private EventText(byte[][] pieces, Slot[] slots) {
        this.pieces = pieces;
        this.slots = slots;
    }

    /** One more than there are holes; not to be changed. */
    byte[][] pieces() {
        return pieces;
    }

    /** What goes into the holes; not to be changed. */
    Slot[] slots() {
        return slots;
    }

    static EventText of(EventKind kind, Lane lane, RankPlace place, boolean flows) {
        String track = "\"pid\": " + place.processOf(lane) + ", \"tid\": " + place.threadOf(lane);
        String text = "  {\n    \"ph\": \"X\", \"cat\": \"" + kind.category().text() + "\", \"name\": \"" + kind.name()
                + "\", " + track + ",\n    \"ts\": " + Slot.TIME.mark() + ", \"dur\": " + Slot.DURATION.mark()
                + ",\n    \"args\": {\n      " + kind.arguments().apply(place) + "\n    }\n  },\n"
                + (flows ? flow(kind.flow(), track) : "");
        return parse(text);
    }

    private static String flow(Flow flow, String track) {
        return switch (flow) {
            case NONE -> "";
            case LAUNCH -> flow("s", Slot.SECOND, "ac2g", track);
            case DEVICE -> flow("f", Slot.SECOND, "ac2g", track);
            case FORWARD -> flow("s", Slot.THIRD, "fwdbwd", track);
            case BACKWARD -> flow("f", Slot.THIRD, "fwdbwd", track);
        };
    }

    private static String flow(String phase, Slot id, String name, String track) {
        return "  {\n    \"ph\": \"" + phase + "\", \"id\": " + id.mark() + ", " + track + ", \"ts\": "
                + Slot.TIME.mark()
                + ",\n    \"cat\": \"" + name + "\", \"name\": \"" + name + '"'
                + (phase.equals("f") ? ", \"bp\": \"e\"" : "") + "\n  },\n";
    }

    private static EventText parse(String text) {
        List<byte[]> pieces = new ArrayList<>();
        List<Slot> slots = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            if (Slot.isMark(text.charAt(i))) {
                pieces.add(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
                slots.add(Slot.of(text.charAt(i)));
                start = i + 1;
            }
        }
        pieces.add(text.substring(start).getBytes(StandardCharsets.UTF_8));
        return new EventText(pieces.toArray(byte[][]::new), slots.toArray(Slot[]::new));
    }
}
