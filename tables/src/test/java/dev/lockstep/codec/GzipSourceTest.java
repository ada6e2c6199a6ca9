// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.codec;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unpacks what java.util.zip unpacks, and more of what is damaged. */
class GzipSourceTest {
    private record Reported(boolean loss, String code, long position) {}

    private record Unpacked(byte[] content, List<Reported> damage) {
        List<String> codes() {
            return damage.stream().map(Reported::code).toList();
        }
    }

    @Test
    void membersAreJoined() {
        byte[] packed = concat(gzip("one "), gzip(""), gzip("two "), gzip("three"));
        assertThat(unpack(packed, 1 << 16)).satisfies(u -> {
            assertThat(new String(u.content(), UTF_8)).isEqualTo("one two three");
            assertThat(u.damage()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 64, 1000, 1 << 16})
    void blocksOfAnySizeGiveTheSameBytes(int block) {
        byte[] content = content(300_000);
        assertThat(unpack(gzip(content), block).content()).isEqualTo(content);
    }

    @Test
    void paddingBetweenAndBehindMembersIsSilent() {
        byte[] packed = concat(gzip("a"), new byte[700], gzip("b"), new byte[100_000]);
        Unpacked u = unpack(packed, 1 << 16);
        assertThat(new String(u.content(), UTF_8)).isEqualTo("ab");
        assertThat(u.damage()).isEmpty();
    }

    @Test
    void garbageBehindTheEndIsReportedAndNoLoss() {
        byte[] member = gzip("a");
        Unpacked u = unpack(concat(member, "garbage".getBytes(UTF_8)), 1 << 16);
        assertThat(new String(u.content(), UTF_8)).isEqualTo("a");
        assertThat(u.damage()).containsExactly(new Reported(false, "trailing_data", member.length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 8, 16, 4 | 8, 8 | 16, 2 | 4 | 8 | 16})
    void everyHeaderFieldIsPassedOver(int flags) {
        byte[] content = content(5000);
        Unpacked u = unpack(member(content, flags), 1 << 16);
        assertThat(u.content()).isEqualTo(content);
        assertThat(u.damage()).isEmpty();
    }

    @Test
    void cutAnywhereGivesWhatWasWholeAndSaysSo() {
        byte[] content = content(3000);
        byte[] packed = member(content, 4 | 8 | 16);
        int reached = 0;
        for (int cut = 3; cut < packed.length; cut++) {
            Unpacked u = unpack(Arrays.copyOf(packed, cut), 1 << 16);
            assertThat(u.content()).isEqualTo(Arrays.copyOf(content, u.content().length));
            assertThat(u.content().length).isGreaterThanOrEqualTo(reached);
            assertThat(u.damage()).as("cut at %d", cut).hasSize(1);
            assertThat(u.damage().getFirst().code()).isEqualTo("truncated");
            assertThat(u.damage().getFirst().loss()).isTrue();
            assertThat(u.damage().getFirst().position()).isEqualTo(cut);
            reached = u.content().length;
        }
        assertThat(reached).isEqualTo(content.length);
    }

    @Test
    void wrongChecksumOrLengthIsReportedAndTheContentUsed() {
        byte[] content = content(3000);
        for (int back = 1; back <= 8; back++) {
            byte[] packed = gzip(content);
            packed[packed.length - back] ^= 1;
            Unpacked u = unpack(packed, 1 << 16);
            assertThat(u.content()).isEqualTo(content);
            assertThat(u.codes()).containsExactly("checksum");
        }
    }

    @Test
    void flippedBytesLoseNoMoreThanJavaLoses() {
        byte[] content = content(4000);
        byte[] sound = gzip(content);
        Random random = new Random(5);
        for (int at = 10; at < sound.length; at++) {
            byte[] packed = sound.clone();
            packed[at] ^= (byte) (1 << random.nextInt(8));
            Unpacked u = unpack(packed, 1 << 16);
            byte[] java = javaUnpacks(packed);
            assertThat(u.content().length).as("byte %d", at).isGreaterThanOrEqualTo(java.length);
            assertThat(Arrays.copyOf(u.content(), java.length)).isEqualTo(java);
            // The last bits of the last block mean nothing.
            assertThat(u.damage().isEmpty()).as("byte %d", at).isIn(false, at == sound.length - 9);
        }
    }

    @Test
    void whatWasUnpackedBeforeTheDamageIsDelivered() {
        byte[] content = content(2_000_000);
        byte[] packed = gzip(content);
        Arrays.fill(packed, packed.length / 2, packed.length / 2 + 64, (byte) 0xFF);
        Unpacked u = unpack(packed, 1 << 20);
        byte[] java = javaUnpacks(packed);
        assertThat(java.length).isGreaterThan(500_000);
        assertThat(u.content().length).isGreaterThanOrEqualTo(java.length);
        assertThat(Arrays.copyOf(u.content(), java.length)).isEqualTo(java);
        assertThat(u.damage()).anyMatch(Reported::loss);
    }

    @Test
    void gzipIsRecognisedByItsFirstBytes() {
        assertThat(GzipSource.matches(gzip("x"), 20)).isTrue();
        assertThat(GzipSource.matches(new byte[] {0x1F, (byte) 0x8B, 8}, 2)).isFalse();
        assertThat(GzipSource.matches("{\"a\":1}".getBytes(UTF_8), 7)).isFalse();
    }

    private static Unpacked unpack(byte[] packed, int block) {
        List<Reported> damage = new ArrayList<>();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] into = new byte[block];
        try (GzipSource source = new GzipSource(
                new StreamSource(new ByteArrayInputStream(packed)),
                (loss, code, message, position) -> damage.add(new Reported(loss, code, position)))) {
            for (int n = source.read(into, 0, block); n >= 0; n = source.read(into, 0, block)) {
                out.write(into, 0, n);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Unpacked(out.toByteArray(), damage);
    }

    /** What the JDK's stream gives before it fails, byte by byte. */
    private static byte[] javaUnpacks(byte[] packed) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            for (int c = in.read(); c >= 0; c = in.read()) {
                out.write(c);
            }
        } catch (IOException e) {
            // what came before counts
        }
        return out.toByteArray();
    }

    private static byte[] content(int size) {
        StringBuilder text = new StringBuilder(size + 40);
        Random random = new Random(size);
        while (text.length() < size) {
            text.append("{\"ph\": \"X\", \"ts\": ")
                    .append(random.nextInt(1_000_000))
                    .append("},\n");
        }
        return text.substring(0, size).getBytes(ISO_8859_1);
    }

    private static byte[] gzip(String text) {
        return gzip(text.getBytes(UTF_8));
    }

    private static byte[] gzip(byte[] content) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** A member with the optional header fields that the flags name. */
    private static byte[] member(byte[] content, int flags) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, (byte) flags, 1, 2, 3, 4, 0, 3});
        if ((flags & 4) != 0) {
            out.writeBytes(new byte[] {44, 1});
            out.writeBytes(new byte[300]);
        }
        if ((flags & 8) != 0) {
            out.writeBytes("trace.json\0".getBytes(ISO_8859_1));
        }
        if ((flags & 16) != 0) {
            out.writeBytes("made for a test\0".getBytes(ISO_8859_1));
        }
        if ((flags & 2) != 0) {
            out.writeBytes(new byte[2]);
        }
        Deflater deflater = new Deflater(6, true);
        deflater.setInput(content);
        deflater.finish();
        byte[] block = new byte[content.length + 100];
        out.write(block, 0, deflater.deflate(block));
        deflater.end();
        CRC32 crc = new CRC32();
        crc.update(content);
        for (long number : new long[] {crc.getValue(), content.length}) {
            for (int shift = 0; shift < 32; shift += 8) {
                out.write((int) (number >>> shift));
            }
        }
        return out.toByteArray();
    }

    private static byte[] concat(byte[]... parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
