// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

import dev.lockstep.codec.JsonWindow;
import dev.lockstep.codec.ProtoCursor;
import dev.lockstep.codec.ProtoCursor.Damaged;
import dev.lockstep.codec.ProtoStream;
import dev.lockstep.model.Diagnostics.Weight;
import dev.lockstep.model.TraceBuilder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one plane after the other. The lines of a plane stand in front of the names of what is on them, so that nothing is
 * known of events until the plane ends.
 */
final class PlaneReader {
    /**
     * What events of one kind have in common.
     *
     * @param name pool id
     * @param stats each with its length in front; empty for none
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on as it is
    record Kind(int name, byte[] stats) {}

    private static final int LONGEST = JsonWindow.LONGEST;

    final PlaneEvents events;
    final EventStats stats;
    /** By number of a metadata: what its events are called; null where the plane does not say. */
    final List<@Nullable Kind> kinds = new ArrayList<>();
    /** Statistics of the plane itself. */
    final List<byte[]> ownStats = new ArrayList<>();

    long id;
    String name = "";

    private final ProtoStream in;
    private final TraceBuilder builder;
    private final ProtoCursor message = new ProtoCursor();

    PlaneReader(ProtoStream in, TraceBuilder builder, EventStats stats) {
        this.in = in;
        this.builder = builder;
        this.stats = stats;
        this.events = new PlaneEvents(builder.diagnostics());
    }

    /** Reads the plane that ends there. What was read of the plane before is forgotten. */
    void read(long end) throws IOException, Damaged {
        events.clear();
        stats.begin();
        kinds.clear();
        ownStats.clear();
        id = 0;
        name = "";
        for (int tag = in.tag(end); tag != 0; tag = in.tag(end)) {
            switch (tag) {
                case Wire.PLANE_ID -> id = in.varint(end);
                case Wire.PLANE_NAME -> name = text(end);
                case Wire.PLANE_LINE -> line(in.enter(end));
                case Wire.PLANE_EVENT_METADATA -> eventMetadata(end);
                case Wire.PLANE_STAT_METADATA -> statMetadata(end);
                case Wire.PLANE_STAT -> {
                    if (take(end)) {
                        ownStats.add(Arrays.copyOfRange(message.bytes(), message.position(), message.end()));
                    }
                }
                default -> in.skipField(tag, end);
            }
        }
    }

    /** Takes the value of a field as a whole; false where it is too long, and passed over. */
    private boolean take(long end) throws IOException, Damaged {
        long begun = in.position();
        long to = in.enter(end);
        if (to - in.position() > LONGEST) {
            builder.diagnostics()
                    .add(
                            Weight.LOSS,
                            "too_long",
                            "a value is longer than " + (LONGEST >> 20) + " MiB; it was not read",
                            begun);
            in.skipTo(to);
            return false;
        }
        in.take(to, message);
        return true;
    }

    private String text(long end) throws IOException, Damaged {
        return take(end) ? text(message, message.end()) : "";
    }

    private static String text(ProtoCursor c, int end) {
        return new String(c.bytes(), c.position(), end - c.position(), StandardCharsets.UTF_8);
    }

    private void line(long end) throws IOException, Damaged {
        long lineId = 0;
        long displayId = 0;
        long timestamp = 0;
        String lineName = "";
        String displayName = "";
        int first = events.size();
        long begun = in.position();
        try {
            for (int tag = in.tag(end); tag != 0; tag = in.tag(end)) {
                switch (tag) {
                    case Wire.LINE_EVENT -> event(end);
                    case Wire.LINE_ID -> lineId = in.varint(end);
                    case Wire.LINE_NAME -> lineName = text(end);
                    case Wire.LINE_TIMESTAMP -> timestamp = in.varint(end);
                    case Wire.LINE_DISPLAY_ID -> displayId = in.varint(end);
                    case Wire.LINE_DISPLAY_NAME -> displayName = text(end);
                    default -> in.skipField(tag, end);
                }
            }
        } finally {
            String shown = displayName.isEmpty() ? lineName : displayName;
            events.line(new PlaneEvents.Line(lineId, displayId, shown, first, events.size()), timestamp, begun);
        }
    }

    private void event(long end) throws IOException, Damaged {
        long begun = in.position();
        if (!take(end)) {
            return;
        }
        try {
            events.add(message, begun);
        } catch (Damaged e) {
            builder.diagnostics().add(Weight.LOSS, "damaged_event", "an event cannot be read; it was left out", begun);
        }
    }

    private void eventMetadata(long end) throws IOException, Damaged {
        if (!take(end)) {
            return;
        }
        long key = 0;
        int text = -1;
        int shown = -1;
        ByteArrayOutputStream own = new ByteArrayOutputStream(0);
        for (int tag = message.tag(); tag != 0; tag = message.tag()) {
            if (tag == Wire.ENTRY_KEY) {
                key = message.varint();
            } else if (tag == Wire.ENTRY_VALUE) {
                int outer = message.enter();
                for (int field = message.tag(); field != 0; field = message.tag()) {
                    switch (field) {
                        case Wire.METADATA_NAME -> text = word();
                        case Wire.METADATA_DISPLAY_NAME -> shown = word();
                        case Wire.METADATA_STAT -> join(own);
                        default -> message.skipField(field);
                    }
                }
                message.leave(outer);
            } else {
                message.skipField(tag);
            }
        }
        int number = events.numberOf(key);
        while (kinds.size() <= number) {
            kinds.add(null);
        }
        boolean isShown = shown >= 0 && builder.strings().length(shown) > 0;
        int called = isShown ? shown : text;
        kinds.set(number, new Kind(called < 0 ? builder.strings().intern("") : called, own.toByteArray()));
    }

    /** Adds the statistic that is next, with its length in front. */
    private void join(ByteArrayOutputStream into) throws Damaged {
        int from = message.position();
        message.skip(message.length());
        into.write(message.bytes(), from, message.position() - from);
    }

    private int word() throws Damaged {
        int length = message.length();
        int from = message.position();
        message.skip(length);
        return builder.strings().intern(message.bytes(), from, from + length);
    }

    private void statMetadata(long end) throws IOException, Damaged {
        if (!take(end)) {
            return;
        }
        long key = 0;
        int text = -1;
        for (int tag = message.tag(); tag != 0; tag = message.tag()) {
            if (tag == Wire.ENTRY_KEY) {
                key = message.varint();
            } else if (tag == Wire.ENTRY_VALUE) {
                int outer = message.enter();
                for (int field = message.tag(); field != 0; field = message.tag()) {
                    if (field == Wire.METADATA_NAME) {
                        text = word();
                    } else {
                        message.skipField(field);
                    }
                }
                message.leave(outer);
            } else {
                message.skipField(tag);
            }
        }
        stats.name(key, text < 0 ? builder.strings().intern("") : text);
    }
}
