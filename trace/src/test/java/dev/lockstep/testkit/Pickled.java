// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Pickles of plain data, written as Python writes them: protocol 0 as lines of text, 2 and 4 in bytes. */
public final class Pickled {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final IdentityHashMap<Object, Integer> memo = new IdentityHashMap<>();
    private final int protocol;

    private Pickled(int protocol) {
        this.protocol = protocol;
    }

    /** The pickle of maps, lists, texts, whole numbers and truth values; what stands twice is written once. */
    public static byte[] of(Object value, int protocol) {
        Pickled pickle = new Pickled(protocol);
        if (protocol >= 2) {
            pickle.out.write(0x80);
            pickle.out.write(protocol);
        }
        pickle.value(value);
        pickle.out.write('.');
        return pickle.out.toByteArray();
    }

    /** A snapshot of PyTorch's allocator. */
    public static Map<String, Object> snapshot(List<?> segments, List<?>... histories) {
        Map<String, Object> snapshot = new LinkedHashMap<>();
        snapshot.put("segments", segments);
        snapshot.put("device_traces", List.of(histories));
        snapshot.put("allocator_settings", Map.of("expandable_segments", false));
        return snapshot;
    }

    /** An entry of its history. */
    public static Map<String, Object> change(String action, long address, long size, long micros, List<?> frames) {
        Map<String, Object> change = new LinkedHashMap<>();
        change.put("action", action);
        change.put("addr", address);
        change.put("size", size);
        change.put("stream", 0L);
        change.put("time_us", micros);
        change.put("frames", frames);
        return change;
    }

    /** A frame of its stacks. */
    public static Map<String, Object> frame(String name, String file, long line) {
        return Map.of("name", name, "filename", file, "line", line);
    }

    /** A segment of which the first bytes are given out. */
    public static Map<String, Object> segment(long device, long total, long given) {
        return Map.of(
                "device",
                device,
                "total_size",
                total,
                "stream",
                0L,
                "blocks",
                List.of(
                        Map.of("state", "active_allocated", "size", given, "requested_size", given),
                        Map.of("state", "inactive", "size", total - given, "requested_size", 0L)));
    }

    private void value(Object value) {
        Integer known = memo.get(value);
        if (known != null && !(value instanceof Long)) {
            put(protocol == 0 ? "g" + known + "\n" : "h" + (char) (int) known);
            return;
        }
        switch (value) {
            case Long number -> number(number);
            case Boolean truth -> put(protocol == 0 ? truth ? "I01\n" : "I00\n" : truth ? "\u0088" : "\u0089");
            case String text -> text(text);
            case List<?> list -> {
                put(protocol == 0 ? "(l" : "]");
                remember(list);
                if (protocol > 0) {
                    put("(");
                }
                list.forEach(one -> {
                    value(one);
                    put(protocol == 0 ? "a" : "");
                });
                put(protocol > 0 ? "e" : "");
            }
            case Map<?, ?> map -> {
                put(protocol == 0 ? "(d" : "}");
                remember(map);
                if (protocol > 0) {
                    put("(");
                }
                map.forEach((key, member) -> {
                    value(key);
                    value(member);
                    put(protocol == 0 ? "s" : "");
                });
                put(protocol > 0 ? "u" : "");
            }
            default -> throw new IllegalArgumentException(value.toString());
        }
    }

    private void remember(Object value) {
        int number = memo.size();
        if (number < 250) {
            memo.put(value, number);
            put(protocol == 0 ? "p" + number + "\n" : protocol < 4 ? "q" + (char) number : "\u0094");
        }
    }

    private void number(long number) {
        if (protocol == 0) {
            put(number == (int) number ? "I" + number + "\n" : "L" + number + "L\n");
        } else if (number == (int) number) {
            put("J");
            bytes(number, 4);
        } else {
            put("\u008a");
            out.write(8);
            bytes(number, 8);
        }
    }

    private void text(String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (protocol == 0) {
            put("V" + text.replace("\\", "\\u005c").replace("\n", "\\u000a") + "\n");
        } else if (protocol >= 4) {
            out.write(0x8c);
            out.write(utf8.length);
            out.writeBytes(utf8);
        } else {
            put("X");
            bytes(utf8.length, 4);
            out.writeBytes(utf8);
        }
        remember(text);
    }

    private void bytes(long number, int count) {
        for (int i = 0; i < count; i++) {
            out.write((int) (number >> 8 * i));
        }
    }

    private void put(String latin) {
        out.writeBytes(latin.getBytes(StandardCharsets.ISO_8859_1));
    }
}
