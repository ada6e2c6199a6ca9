// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import dev.lockstep.codec.JsonOut;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What XLA's profiler recorded, made in a test, and written in both formats that JAX writes. Times are in ps. */
public final class XlaRecording {
    /** Statistics that the JSON leaves out. */
    private static final Set<String> INTERNAL =
            Set.of("_pt", "_p", "_ct", "_c", "_r", "flops", "program_id", "symbol_id");

    private static final int HOST = 701;

    private record Event(String name, long start, long duration, Map<String, Object> stats) {}

    private record Line(long id, String name, long timestamp, List<Event> events) {}

    private record Plane(long id, String name, Map<Long, Line> lines, Map<String, Object> stats) {}

    private final Map<String, Plane> planes = new LinkedHashMap<>();
    private final List<byte[]> programs = new ArrayList<>();
    private int events;

    /** A plane; what it is called says what it is. */
    public XlaRecording plane(long id, String name, Map<String, Object> stats) {
        planes.put(name, new Plane(id, name, new TreeMap<>(), stats));
        return this;
    }

    /** A line of a plane, whose events count from a time in ns. */
    public XlaRecording line(String plane, long id, String name, long timestamp) {
        plane(plane).lines.put(id, new Line(id, name, timestamp, new ArrayList<>()));
        return this;
    }

    /** An event. */
    public XlaRecording event(
            String plane, long line, String name, long start, long duration, Map<String, Object> stats) {
        Line on = plane(plane).lines.get(line);
        on.events.add(new Event(name, start, duration, new LinkedHashMap<>(stats)));
        events++;
        return this;
    }

    /** A compiled program: an {@code xla.HloProto}. */
    public XlaRecording program(String name, long id, Message hlo) {
        Message value = new Message()
                .number(1, id)
                .text(2, name + "(" + id + ")")
                .message(5, new Message().number(1, 1).bytes(6, hlo.toBytes()))
                .message(5, new Message().number(1, 2).number(3, id));
        programs.add(new Message().number(1, id).message(2, value).toBytes());
        return this;
    }

    private Plane plane(String name) {
        Plane known = planes.get(name);
        if (known == null) {
            throw new IllegalArgumentException("no plane " + name);
        }
        return known;
    }

    /** How many events there are. */
    public int events() {
        return events;
    }

    /** As {@code HOST.xplane.pb}. */
    public byte[] xplane() {
        Message space = new Message();
        if (!programs.isEmpty()) {
            Message plane = new Message().text(2, "/host:metadata");
            programs.forEach(program -> plane.bytes(4, program));
            space.message(1, plane.message(5, named(1, "Hlo Proto")).message(5, named(2, "program_id")));
        }
        planes.values().forEach(plane -> space.message(1, xplane(plane)));
        return space.text(4, "host").toBytes();
    }

    private static Message named(long id, String name) {
        return new Message()
                .number(1, id)
                .message(2, new Message().number(1, id).text(2, name));
    }

    /** Lines come first, as in files; texts stand in the statistic or are referred to, by turns. */
    private static Message xplane(Plane plane) {
        Map<String, Long> kinds = new LinkedHashMap<>();
        Map<String, Long> names = new LinkedHashMap<>();
        Message message = new Message();
        if (plane.id != 0) {
            message.number(1, plane.id);
        }
        message.text(2, plane.name);
        for (Line line : plane.lines.values()) {
            Message lines = new Message().number(1, line.id).text(2, line.name).number(3, line.timestamp);
            for (Event event : line.events) {
                Message one = new Message()
                        .number(1, kinds.computeIfAbsent(event.name, n -> kinds.size() + 1L))
                        .number(2, event.start - line.timestamp * 1000)
                        .number(3, event.duration);
                event.stats.forEach((key, value) -> one.message(4, stat(key, value, names)));
                lines.message(4, one);
            }
            message.message(3, lines);
        }
        plane.stats.forEach((key, value) -> message.message(6, stat(key, value, names)));
        kinds.forEach((name, id) -> message.message(4, named(id, name)));
        names.forEach((name, id) -> message.message(5, named(id, name)));
        return message;
    }

    private static Message stat(String key, Object value, Map<String, Long> names) {
        Message stat = new Message().number(1, names.computeIfAbsent(key, n -> names.size() + 1L));
        if (value instanceof Long number) {
            return stat.number(number % 2 == 0 ? 3 : 4, number);
        }
        if (value instanceof Double number) {
            return stat.fraction(2, number);
        }
        String text = (String) value;
        return text.length() % 2 == 0
                ? stat.text(5, text)
                : stat.number(7, names.computeIfAbsent(text, n -> names.size() + 1L));
    }

    /** As {@code HOST.trace.json.gz}, unpacked. */
    public String json() {
        List<String> lines = new ArrayList<>();
        for (Plane plane : planes.values()) {
            boolean host = plane.name.equals("/host:CPU");
            if (!host && !plane.name.startsWith("/device:")) {
                continue;
            }
            long pid = host ? HOST : plane.id + 1;
            lines.add(metadata("process_name", pid, -1, plane.name));
            for (Line line : plane.lines.values()) {
                long tid = line.id & 0xFFFF_FFFFL;
                lines.add(metadata("thread_name", pid, tid, line.name));
                for (Event event : line.events) {
                    if (event.name.startsWith("Memory")) {
                        continue;
                    }
                    lines.add(json(event, pid, tid));
                }
            }
        }
        lines.add("{}");
        return "{\"displayTimeUnit\":\"ns\",\"metadata\":{\"highres-ticks\":true},\n\"traceEvents\":["
                + String.join(",\n", lines) + "]}";
    }

    private static String metadata(String what, long pid, long tid, String name) {
        return "{\"ph\":\"M\",\"pid\":" + pid + (tid < 0 ? "" : ",\"tid\":" + tid) + ",\"name\":\"" + what
                + "\",\"args\":{\"name\":" + JsonOut.line(name) + "}}";
    }

    private static String json(Event event, long pid, long tid) {
        Map<String, Object> args = new LinkedHashMap<>();
        event.stats.forEach((key, value) -> {
            if (!INTERNAL.contains(key)) {
                args.put(key, String.valueOf(value));
            }
        });
        return "{\"ph\":\"X\",\"pid\":" + pid + ",\"tid\":" + tid + ",\"ts\":" + us(event.start) + ",\"dur\":"
                + us(Math.max(1, event.duration)) + ",\"name\":" + JsonOut.line(event.name)
                + (args.isEmpty() ? "" : ",\"args\":" + JsonOut.line(args)) + "}";
    }

    private static String us(long ps) {
        return BigDecimal.valueOf(ps, 6).toPlainString();
    }
}
