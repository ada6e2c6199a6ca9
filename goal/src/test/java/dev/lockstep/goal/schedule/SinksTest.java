// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SinksTest {
    private static void fill(ScheduleSink sink) throws IOException {
        sink.calc(10_000_000_000_000_000L, 1);
        sink.send(524_288, 3, 15_201, 2, 0);
        sink.requires(1, 0);
        sink.recv(0, 2, 4_294_967_295L, 255, 9);
        sink.irequires(2, 1);
        sink.requires(2, 0);
    }

    @Test
    void textIsWhatSimulatorsRead() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        TextSink sink = new TextSink(out, 9, 16);
        sink.begin(12);
        fill(sink);
        sink.end();

        assertThat(out.toString(StandardCharsets.US_ASCII)).isEqualTo("""
                rank 12 {
                l0: calc 10000000000000000 cpu 1
                l1: send 524288b to 3 tag 000015201 cpu 2 nic 0
                l1 requires l0
                l2: recv 0b from 2 tag 4294967295 cpu 255 nic 9
                l2 irequires l1
                l2 requires l0
                }
                """);
    }

    @Test
    void numbersOfAnyLengthAreWritten() throws IOException {
        long value = 1;
        for (int digits = 1; digits < 19; digits++, value = value * 10 + digits % 10) {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            TextSink sink = new TextSink(out, 1, 1024);
            sink.calc(value, 0);
            sink.calc(value - 1, 0);
            sink.end();

            assertThat(out.toString(StandardCharsets.US_ASCII))
                    .isEqualTo("l0: calc " + value + " cpu 0\nl1: calc " + (value - 1) + " cpu 0\n}\n");
        }
    }

    @Test
    void binaryHoldsRecordsAndThenDependents() throws IOException {
        BinarySink sink = new BinarySink();
        fill(sink);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long length = sink.write(out);

        ByteBuffer block = ByteBuffer.wrap(out.toByteArray()).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(length).isEqualTo(block.capacity()).isEqualTo(8 + 4 + 3 * 39 + 3 * 4);
        assertThat(new int[] {block.getInt(), block.getInt(), block.getInt()}).containsExactly(3, 1, 0);
        int second = 12 + 39;
        assertThat(block.getInt(second)).as("waits for").isEqualTo(1);
        assertThat(block.get(second + 4)).as("send").isEqualTo((byte) 1);
        assertThat(block.getInt(second + 5)).as("peer").isEqualTo(3);
        assertThat(block.getLong(second + 9)).isEqualTo(524_288);
        assertThat(block.getInt(second + 17)).isEqualTo(15_201);
        assertThat(new byte[] {block.get(second + 21), block.get(second + 22)}).containsExactly(2, 0);
        assertThat(new int[] {block.getInt(second + 23), block.getInt(second + 27)})
                .containsExactly(0, 2);
        assertThat(new int[] {block.getInt(second + 31), block.getInt(second + 35)})
                .containsExactly(1, 2);
        int appendix = 12 + 3 * 39;
        assertThat(new int[] {block.getInt(appendix), block.getInt(appendix + 4), block.getInt(appendix + 8)})
                .containsExactly(1, 2, 2);
        assertThat(sink.maxCpu()).isEqualTo(255);
        assertThat(sink.maxNic()).isEqualTo(9);
    }
}
