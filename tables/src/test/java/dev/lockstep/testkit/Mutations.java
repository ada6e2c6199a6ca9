// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Damages a file in every way that is known to happen, and always in the same way for the same seed. */
public final class Mutations {
    /** Texts that often stand where something else should. */
    private static final String[] INTRUDERS = {
        "\"",
        "\\",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "null",
        "NaN",
        "-",
        "1e999",
        "\0",
        "\n",
        "{\"ph\":\"X\",",
        "\"traceEvents\":[",
        "/*"
    };

    /**
     * A damaged file.
     *
     * @param name says what was done, so that it can be done again
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Mutation(String name, byte[] content) {
        @Override
        public String toString() {
            return name;
        }
    }

    private Mutations() {}

    /** The file cut after each of its bytes. */
    public static Stream<Mutation> truncations(byte[] content) {
        return IntStream.range(0, content.length).mapToObj(n -> new Mutation("cut at " + n, Arrays.copyOf(content, n)));
    }

    /** A number of copies, each damaged in one to three places. */
    public static Stream<Mutation> random(byte[] content, long seed, int count) {
        return IntStream.range(0, count).mapToObj(i -> {
            Random random = new Random(seed * 1_000_003 + i);
            byte[] damaged = content;
            StringBuilder name = new StringBuilder("seed " + seed + " number " + i + ":");
            for (int left = 1 + random.nextInt(3); left > 0; left--) {
                damaged = damage(damaged, random, name);
            }
            return new Mutation(name.toString(), damaged);
        });
    }

    private static byte[] damage(byte[] content, Random random, StringBuilder name) {
        int from = random.nextInt(content.length + 1);
        int to = Math.min(content.length, from + 1 + random.nextInt(random.nextInt(4) == 0 ? content.length : 12));
        byte[] copy = content.clone();
        switch (random.nextInt(6)) {
            case 0 -> {
                name.append(" flip ").append(from);
                if (from < copy.length) {
                    copy[from] ^= (byte) (1 << random.nextInt(8));
                }
                return copy;
            }
            case 1 -> {
                name.append(" delete ").append(from).append("..").append(to);
                return splice(content, from, to, new byte[0]);
            }
            case 2 -> {
                name.append(" duplicate ").append(from).append("..").append(to);
                return splice(content, to, to, Arrays.copyOfRange(content, from, to));
            }
            case 3 -> {
                name.append(" zero ").append(from).append("..").append(to);
                Arrays.fill(copy, from, to, (byte) 0);
                return copy;
            }
            case 4 -> {
                int place = random.nextInt(content.length + 1);
                name.append(" copy ")
                        .append(from)
                        .append("..")
                        .append(to)
                        .append(" to ")
                        .append(place);
                return splice(content, place, place, Arrays.copyOfRange(content, from, to));
            }
            default -> {
                String intruder = INTRUDERS[random.nextInt(INTRUDERS.length)];
                name.append(" insert ").append(intruder).append(" at ").append(from);
                return splice(content, from, from, intruder.getBytes(US_ASCII));
            }
        }
    }

    private static byte[] splice(byte[] content, int from, int to, byte[] instead) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + instead.length);
        out.write(content, 0, from);
        out.writeBytes(instead);
        out.write(content, to, content.length - to);
        return out.toByteArray();
    }
}
