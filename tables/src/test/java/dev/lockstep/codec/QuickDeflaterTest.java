// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

class QuickDeflaterTest {
    private final QuickDeflater deflater = new QuickDeflater();

    @Test
    void whatIsPackedIsUnpackedByZlib() throws DataFormatException {
        Random random = new Random(7);
        for (int round = 0; round < 400; round++) {
            byte[] bytes = bytes(random, round % 7, random.nextInt(round % 10 == 0 ? 200_000 : 3_000));
            assertThat(unpacked(packed(bytes, 0, bytes.length, true))).isEqualTo(bytes);
        }
    }

    @Test
    void theShortestInputsAreSound() throws DataFormatException {
        byte[] text = "aaaaaaaaaaaabaaaaaaaaaaaaaabcabcabcabc".getBytes(StandardCharsets.US_ASCII);
        for (int from = 0; from < text.length; from++) {
            for (int to = from; to <= text.length; to++) {
                assertThat(unpacked(packed(text, from, to, true))).isEqualTo(Arrays.copyOfRange(text, from, to));
            }
        }
    }

    @Test
    void partsBehindOneAnotherAreOneStream() throws DataFormatException {
        Random random = new Random(1);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int part = 0; part < 50; part++) {
            byte[] bytes = bytes(random, part % 7, random.nextInt(5_000));
            stream.writeBytes(packed(bytes, 0, bytes.length, part == 49));
            all.writeBytes(bytes);
        }
        assertThat(unpacked(stream.toByteArray())).isEqualTo(all.toByteArray());
    }

    @Test
    void matchesReachAsFarBackAsTheFormatAllows() throws DataFormatException {
        for (int gap : new int[] {32_767, 32_768, 32_769}) {
            byte[] bytes = new byte[gap + 64];
            new Random(3).nextBytes(bytes);
            System.arraycopy(bytes, 0, bytes, gap, 64);
            assertThat(unpacked(packed(bytes, 0, bytes.length, true))).isEqualTo(bytes);
        }
    }

    /** What describes a block's codes leaves any number of bits behind, and such a match has the most bits of all. */
    @Test
    void blocksMayBeginWithTheLongestMatchFromFarthestBack() throws DataFormatException {
        int tokens = 32_768;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            byte[] bytes = new byte[2 * tokens + random.nextInt(1_000)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) random.nextInt(80); // so many that each is a token, so few that packing pays
            }
            for (int match = 0; match < 40; match++) { // so that the code of one that comes once is long
                int at = tokens + 1_000 + match * 700;
                System.arraycopy(bytes, at - (20 << match % 10), bytes, at, 8);
            }
            for (int i = 0; i < 511; i++) {
                int rare = Integer.SIZE - Integer.numberOfLeadingZeros(i + 1);
                bytes[tokens + 1_000 + random.nextInt(tokens - 1_000)] = (byte) (100 + rare);
            }
            System.arraycopy(bytes, 0, bytes, tokens, 230);
            assertThat(unpacked(packed(bytes, 0, bytes.length, true)))
                    .as("seed %d", seed)
                    .isEqualTo(bytes);
        }
    }

    @Test
    void codesThatWouldBecomeTooLongAreCut() throws DataFormatException {
        // Frequencies like Fibonacci's numbers make the longest codes; pairs in an order that never repeats, so that
        // there are no matches.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        long count = 1;
        long next = 1;
        for (int symbol = 0; symbol < 22; symbol++) {
            for (long i = 0; i < count; i++) {
                bytes.write(symbol);
            }
            long sum = count + next;
            count = next;
            next = sum;
        }
        byte[] shuffled = bytes.toByteArray();
        Random random = new Random(5);
        for (int i = shuffled.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            byte b = shuffled[i];
            shuffled[i] = shuffled[other];
            shuffled[other] = b;
        }
        assertThat(unpacked(packed(shuffled, 0, shuffled.length, true))).isEqualTo(shuffled);
    }

    /** Lengths and distances where symbols change, codes of both kinds that must be cut, ranges inside of arrays, streams. */
    @Test
    void matchesOfAllLengthsAndDistancesAreUnpacked() throws DataFormatException {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int cases = 60;
        for (int i = 0; i < cases; i++) {
            Random random = new Random(i);
            byte[] bytes = matches(random, i % 10 == 0 ? 250_000 : random.nextInt(90_000));
            int from = i % 3 == 0 ? random.nextInt(Math.min(9, bytes.length)) : 0;
            int to = bytes.length - (i % 4 == 0 ? random.nextInt(Math.min(9, bytes.length - from)) : 0);
            byte[] range = Arrays.copyOfRange(bytes, from, to);
            assertThat(unpacked(packed(bytes, from, to, true))).as("case %d", i).isEqualTo(range);
            stream.writeBytes(packed(bytes, from, to, false));
            stream.writeBytes(packed(bytes, from, from, i == cases - 1));
            all.writeBytes(range);
        }
        assertThat(unpacked(stream.toByteArray())).isEqualTo(all.toByteArray());
    }

    /** Bytes whose matches have distances with the frequencies of Fibonacci's numbers, between bytes that come rarely. */
    private static byte[] matches(Random random, int length) {
        byte[] bytes = new byte[1 + length];
        int different = 1 + random.nextInt(256);
        int end = 0;
        while (end < bytes.length) {
            int symbol = 0;
            while (symbol < 29 && random.nextInt(1_618) < 618) {
                symbol++;
            }
            int farthest = 32_768 >> symbol / 2;
            int distance = symbol % 2 == 0 ? farthest : farthest - random.nextInt(farthest / 3 + 1);
            int match = switch (random.nextInt(4)) {
                case 0 -> 3 + random.nextInt(16);
                case 1 -> 256 + random.nextInt(5);
                case 2 -> random.nextInt(9) == 0 ? 2_000 : 5;
                default -> 3 + random.nextInt(256);
            };
            for (int i = 0; i < match && end >= distance && end < bytes.length; i++, end++) {
                bytes[end] = bytes[end - distance];
            }
            for (int i = end < distance ? 40 : random.nextInt(3); i >= 0 && end < bytes.length; i--) {
                bytes[end++] = (byte) random.nextInt(different);
            }
        }
        return bytes;
    }

    @Test
    void randomBytesGrowByNextToNothing() {
        byte[] bytes = new byte[300_000];
        new Random(2).nextBytes(bytes);
        assertThat(packed(bytes, 0, bytes.length, true)).hasSizeLessThan(bytes.length + 100);
    }

    @Test
    void textIsPackedAboutAsWellAsZlibDoesAtItsQuickest() {
        StringBuilder text = new StringBuilder();
        Random random = new Random(4);
        for (int i = 0; i < 5_000; i++) {
            text.append("{\"ph\":\"X\",\"name\":\"kernel_").append(random.nextInt(40));
            text.append("\",\"ts\":")
                    .append(1_000_000 + i * 37L)
                    .append(",\"dur\":")
                    .append(random.nextInt(500));
            text.append(",\"args\":{\"correlation\":").append(i).append(",\"stream\":7}},\n");
        }
        byte[] bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
        Deflater zlib = new Deflater(1, true);
        zlib.setInput(bytes);
        zlib.finish();
        int theirs = zlib.deflate(new byte[bytes.length]);
        zlib.end();
        assertThat(packed(bytes, 0, bytes.length, true)).hasSizeLessThan(theirs * 11 / 10);
    }

    @Test
    void whatWasPackedBeforeChangesNothing() {
        byte[] bytes = bytes(new Random(9), 4, 50_000);
        byte[] first = packed(bytes, 0, bytes.length, true);
        packed(bytes(new Random(10), 2, 90_000), 0, 90_000, false);
        assertThat(packed(bytes, 0, bytes.length, true)).isEqualTo(first);
    }

    private byte[] packed(byte[] bytes, int from, int to, boolean last) {
        deflater.deflate(bytes, from, to, last);
        return Arrays.copyOf(deflater.bytes(), deflater.size());
    }

    private static byte[] unpacked(byte[] packed) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        inflater.setInput(packed);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] some = new byte[1 << 16];
        int n;
        while ((n = inflater.inflate(some)) > 0) {
            out.write(some, 0, n);
        }
        assertThat(inflater.finished()).isTrue();
        assertThat(inflater.getRemaining()).isZero();
        inflater.end();
        return out.toByteArray();
    }

    /** Bytes of several kinds: all alike, few and many different ones, text that repeats with changes. */
    private static byte[] bytes(Random random, int kind, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte)
                    switch (kind) {
                        case 0 -> 'x';
                        case 1 -> random.nextInt(2);
                        case 2 -> random.nextInt(256);
                        case 3 -> (int) Math.abs(random.nextGaussian() * 12);
                        case 4 -> i > 40 && random.nextInt(9) > 0 ? bytes[i - 37] : random.nextInt(100);
                        case 5 -> i % 251;
                        default -> i > 300 && random.nextInt(50) > 0 ? bytes[i - 259] : random.nextInt(8);
                    };
        }
        return bytes;
    }
}
