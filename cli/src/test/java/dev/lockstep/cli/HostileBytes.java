// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Sound files made unsound: the same seed makes the same damage. */
final class HostileBytes {
    /** What stands in place of a value, or anywhere: what programs that read such files are known to stumble over. */
    private static final String[] WORDS = {
        "null",
        "true",
        "-1",
        "0",
        "-0",
        "1e400",
        "-1e308",
        "NaN",
        "Infinity",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551616",
        "2147483648",
        "-2147483649",
        "1.5",
        "0x7f",
        "007",
        "1e-400",
        "[]",
        "{}",
        "[[]]",
        "[null]",
        "{\"a\":[]}",
        "\"\"",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"a\\nb\"",
        "\"=1+1\"",
        "\"" + WrittenFiles.TRAP + "\"",
        "\"../../x\"",
        "\"" + "9".repeat(40) + "\"",
        "9".repeat(400),
        "\"" + "x".repeat(70_000) + "\"",
        "[".repeat(3000),
        "{\"a\":".repeat(3000),
        "\u00ff\u00fe",
        "\u0000",
        "\n",
        "\r\n",
        "\t",
        ",",
        ",,",
        ":",
        "\"",
        "'",
        "\\",
        "}",
        "]",
        "&a [*a]",
        "*a",
        "!!int x",
        "<<: *a",
        "#",
        "---\n",
        "%",
        ";",
        "=",
        "..",
        "/",
        "(",
        ")",
        "**",
        "%s",
        "${x}",
        "1/0",
        "inf",
        "-inf",
        "1_000",
        "\u00c3\u00a9",
        "rank 5",
        "comp",
        "send 1b to 0",
        "label",
        "requires"
    };

    private final Random random;

    HostileBytes(long seed) {
        random = new Random(seed);
    }

    /** The file with one to five damages; archives are damaged inside or outside. */
    byte[] of(byte[] sound) throws IOException {
        if (sound.length > 4 && sound[0] == 'P' && sound[1] == 'K' && random.nextInt(4) > 0) {
            return archive(sound);
        }
        byte[] bytes = sound;
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            bytes = once(bytes);
        }
        return bytes;
    }

    private byte[] archive(byte[] sound) throws IOException {
        int members = 0;
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(sound))) {
            while (in.getNextEntry() != null) {
                members++;
            }
        }
        int chosen = random.nextInt(Math.max(1, members));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(sound));
                ZipOutputStream zip = new ZipOutputStream(out)) {
            int member = 0;
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                byte[] content = in.readAllBytes();
                zip.putNextEntry(new ZipEntry(entry.getName()));
                zip.write(member++ == chosen ? once(once(content)) : content);
            }
        }
        return out.toByteArray();
    }

    private byte[] once(byte[] bytes) {
        int at = bytes.length == 0 ? 0 : random.nextInt(bytes.length);
        int length = Math.min(bytes.length - at, 1 + random.nextInt(1 << random.nextInt(11)));
        byte[] word = WORDS[random.nextInt(WORDS.length)].getBytes(ISO_8859_1);
        return switch (random.nextInt(9)) {
            case 0 -> flipped(bytes, at);
            case 1 -> joined(bytes, at, new byte[0], at + length);
            case 2 -> joined(bytes, at + length, Arrays.copyOfRange(bytes, at, at + length), at + length);
            case 3 -> Arrays.copyOf(bytes, at);
            case 4 -> joined(bytes, at, word, at);
            case 5 -> swapped(bytes, at, length);
            case 6 -> joined(bytes, at, new byte[length], at + length);
            default -> value(bytes, at, word);
        };
    }

    private byte[] flipped(byte[] bytes, int at) {
        byte[] flipped = bytes.clone();
        if (flipped.length > 0) {
            flipped[at] = (byte) (random.nextBoolean() ? flipped[at] ^ 1 << random.nextInt(8) : random.nextInt(256));
        }
        return flipped;
    }

    private byte[] swapped(byte[] bytes, int at, int length) {
        int from = random.nextInt(Math.max(1, bytes.length - length + 1));
        return joined(bytes, at, Arrays.copyOfRange(bytes, from, from + length), at + length);
    }

    /** Another value behind the next colon, comma, equals sign, bracket or blank. */
    private static byte[] value(byte[] bytes, int at, byte[] word) {
        int from = at;
        while (from < bytes.length && ":,=[ ".indexOf(bytes[from]) < 0) {
            from++;
        }
        int to = Math.min(from + 1, bytes.length);
        boolean text = to < bytes.length && bytes[to] == '"';
        int end = text ? to + 1 : to;
        while (end < bytes.length && (text ? bytes[end] != '"' : ":,=[]{} \n".indexOf(bytes[end]) < 0)) {
            end++;
        }
        return joined(bytes, to, word, Math.min(bytes.length, text ? end + 1 : end));
    }

    private static byte[] joined(byte[] bytes, int to, byte[] between, int from) {
        byte[] joined = Arrays.copyOf(bytes, to + between.length + bytes.length - from);
        System.arraycopy(between, 0, joined, to, between.length);
        System.arraycopy(bytes, from, joined, to + between.length, bytes.length - from);
        return joined;
    }
}
