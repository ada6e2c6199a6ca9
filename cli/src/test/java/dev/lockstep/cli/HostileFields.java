// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Sound messages of protocol buffers that still are such, with lengths that are right, but mean something else: fields that are
 * missing, repeated, in another order, of another number or value. The same seed makes the same change.
 */
final class HostileFields {
    private static final int VARINT = 0;
    private static final int FIXED64 = 1;
    private static final int BYTES = 2;
    private static final int FIXED32 = 5;
    private static final int MOST_COPIES = 300;
    private static final int DEEPEST = 12;

    /** Copies of copies may be long; what goes beyond is left out. */
    private static final int LONGEST = 16_000_000;

    private static final long[] NUMBERS = {
        0,
        1,
        2,
        7,
        -1,
        Integer.MAX_VALUE,
        1L + Integer.MAX_VALUE,
        0xffffffffL,
        1L << 53,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        1_000_000_000_000_000L
    };

    /** A field: a number, or bytes, or a message; of the last two one is null. */
    private static final class Field {
        private int number;
        private int type;
        private long value;
        private byte @Nullable [] bytes;
        private @Nullable List<Field> message;

        private Field(int number, int type) {
            this.number = number;
            this.type = type;
        }
    }

    private final Random random;

    HostileFields(long seed) {
        random = new Random(seed);
    }

    /** {@return whether the bytes are fields and nothing else} */
    static boolean isMessage(byte[] bytes) {
        return parse(bytes, 0) != null;
    }

    /** The message with one to five changes. */
    byte[] of(byte[] sound) {
        List<Field> whole = parse(sound, 0);
        if (whole == null) {
            throw new IllegalArgumentException("no message");
        }
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            List<List<Field>> messages = new ArrayList<>();
            collect(whole, messages);
            change(messages.get(random.nextInt(messages.size())), messages);
        }
        return write(whole);
    }

    private static void collect(List<Field> message, List<List<Field>> to) {
        if (!message.isEmpty()) {
            to.add(message);
        }
        for (Field field : message) {
            if (field.message != null) {
                collect(field.message, to);
            }
        }
        if (to.isEmpty()) {
            to.add(message);
        }
    }

    private void change(List<Field> message, List<List<Field>> all) {
        if (message.isEmpty()) {
            message.add(new Field(1 + random.nextInt(60), VARINT));
            return;
        }
        int at = random.nextInt(message.size());
        Field field = message.get(at);
        switch (random.nextInt(9)) {
            case 0 -> message.remove(at);
            case 1 -> message.addAll(at, Collections.nCopies(1 + random.nextInt(MOST_COPIES), field));
            case 2 -> Collections.shuffle(message, random);
            case 3 -> field.number = 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
            case 4 -> {
                List<Field> other = all.get(random.nextInt(all.size()));
                message.set(at, copy(other.get(random.nextInt(other.size()))));
            }
            case 5 -> everywhere(all, field.number);
            default -> value(field, NUMBERS[random.nextInt(NUMBERS.length)]);
        }
    }

    /** Without the fields inside, so that no message holds itself. */
    private static Field copy(Field field) {
        Field copy = new Field(field.number, field.type);
        copy.value = field.value;
        copy.bytes = field.message == null ? field.bytes : write(field.message);
        return copy;
    }

    /** The same change to all fields of a number. */
    private void everywhere(List<List<Field>> all, int number) {
        long other = NUMBERS[random.nextInt(NUMBERS.length)];
        boolean gone = random.nextInt(3) == 0;
        for (List<Field> message : all) {
            if (gone) {
                message.removeIf(field -> field.number == number);
            } else {
                message.stream().filter(field -> field.number == number).forEach(field -> value(field, other));
            }
        }
    }

    private void value(Field field, long value) {
        if (field.type != BYTES) {
            field.value = random.nextInt(3) == 0 ? field.value + value : value;
            return;
        }
        field.message = null;
        field.bytes = switch (random.nextInt(5)) {
            case 0 -> new byte[0];
            case 1 -> "a\0b\n".getBytes(StandardCharsets.UTF_8);
            case 2 -> new byte[] {(byte) 0xff, (byte) 0xfe, (byte) 0xed};
            case 3 -> "x".repeat(70_000).getBytes(StandardCharsets.UTF_8);
            default -> Long.toString(value).getBytes(StandardCharsets.UTF_8);
        };
    }

    private static @Nullable List<Field> parse(byte[] bytes, int depth) {
        List<Field> fields = new ArrayList<>();
        long[] number = new long[1];
        int at = 0;
        while (at < bytes.length) {
            at = varint(bytes, at, number);
            int type = (int) (number[0] & 7);
            long key = number[0] >>> 3;
            if (at < 0 || key == 0 || key > 1 << 20) {
                return null;
            }
            Field field = new Field((int) key, type);
            switch (type) {
                case VARINT -> {
                    at = varint(bytes, at, number);
                    field.value = number[0];
                }
                case FIXED64, FIXED32 -> {
                    int length = type == FIXED64 ? Long.BYTES : Integer.BYTES;
                    if (at + length > bytes.length) {
                        return null;
                    }
                    for (int i = length - 1; i >= 0; i--) {
                        field.value = field.value << Byte.SIZE | bytes[at + i] & 0xff;
                    }
                    at += length;
                }
                case BYTES -> {
                    at = varint(bytes, at, number);
                    if (at < 0 || number[0] < 0 || number[0] > bytes.length - at) {
                        return null;
                    }
                    byte[] content = Arrays.copyOfRange(bytes, at, at + (int) number[0]);
                    field.message = content.length < 2 || depth == DEEPEST ? null : parse(content, depth + 1);
                    field.bytes = field.message == null ? content : null;
                    at += content.length;
                }
                default -> at = -1;
            }
            if (at < 0) {
                return null;
            }
            fields.add(field);
        }
        return fields;
    }

    /** {@return where the number ends, -1 where it does not} */
    private static int varint(byte[] bytes, int from, long[] number) {
        number[0] = 0;
        for (int at = from, shift = 0; at >= 0 && at < bytes.length && shift < Long.SIZE; at++, shift += 7) {
            number[0] |= (bytes[at] & 0x7fL) << shift;
            if (bytes[at] >= 0) {
                return at + 1;
            }
        }
        return -1;
    }

    private static byte[] write(List<Field> fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Field field : fields) {
            if (out.size() > LONGEST) {
                break;
            }
            varint((long) field.number << 3 | field.type, out);
            if (field.type == VARINT) {
                varint(field.value, out);
            } else if (field.type == BYTES) {
                byte[] content = field.message == null ? field.bytes : write(field.message);
                varint(content == null ? 0 : content.length, out);
                out.writeBytes(content == null ? new byte[0] : content);
            } else {
                for (int i = 0; i < (field.type == FIXED64 ? Long.BYTES : Integer.BYTES); i++) {
                    out.write((int) (field.value >>> i * Byte.SIZE));
                }
            }
        }
        return out.toByteArray();
    }

    private static void varint(long number, ByteArrayOutputStream out) {
        long rest = number;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
    }
}
