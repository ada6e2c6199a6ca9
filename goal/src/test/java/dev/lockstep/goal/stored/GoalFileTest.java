// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.stored.Flaws.Flaw;
import dev.lockstep.goal.stored.Flaws.Place;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalFileTest {
    private static final String TWO = """
            num_ranks 2
            rank 0 {
            a: calc 100 cpu 2
            b: send 1024b to 1 tag 7 cpu 1 nic 3
            b requires a
            }
            rank 1 {
            r: recv 1024b from 0 tag 7
            c: calc 5
            c irequires r
            c requires r
            }
            """;

    /** A rank of one calc of 258 ns on cpu 3; bytes as the layout says them. */
    private static final String BINARY = "7f10000000000000" + "01000000" + "03" + "00"
            + "1600000000000000" + "4900000000000000"
            + "01000000" + "01000000" + "00000000"
            + "00000000" + "03" + "00000000" + "0201000000000000" + "00000000" + "03" + "00"
            + "00000000" + "00000000" + "00000000" + "00000000";

    @TempDir
    Path folder;

    @Test
    void operationsAreReadWithAllTheyState() throws IOException {
        StoredSchedule schedule = read(TWO);

        assertThat(schedule.flaws().count()).isZero();
        Operations first = schedule.ranks().getFirst();
        assertThat(dump(first))
                .containsExactly("calc 100 peer 0 tag 0 cpu 2 nic 0", "send 1024 peer 1 tag 7 cpu 1 nic 3");
        assertThat(targets(first.afterEnd(), 0)).containsExactly(1);
        Operations second = schedule.ranks().get(1);
        assertThat(dump(second))
                .containsExactly("recv 1024 peer 0 tag 7 cpu 0 nic 0", "calc 5 peer 0 tag 0 cpu 0 nic 0");
        assertThat(targets(second.afterEnd(), 0)).containsExactly(1);
        assertThat(targets(second.afterStart(), 0)).containsExactly(1);
        assertThat(second.waitsFor()).containsExactly(0, 2);
    }

    @Test
    void commentsBlanksAndLineEndsMayStandWhereTheConverterTakesThem() throws IOException {
        String text = "/* a\n comment */ // and another\r\n\tnum_ranks 1 // ranks\r\nrank 0 { // begins\r\n"
                + "\tx:calc7cpu2\r\n  y :  calc  8 cpu  1 \r\n/* x */ z: calc 9\r\ny requiresx\r\n}// ends";

        StoredSchedule schedule = read(text);

        assertThat(schedule.flaws().count()).isZero();
        assertThat(dump(schedule.ranks().getFirst()))
                .containsExactly(
                        "calc 7 peer 0 tag 0 cpu 2 nic 0",
                        "calc 8 peer 0 tag 0 cpu 1 nic 0",
                        "calc 9 peer 0 tag 0 cpu 0 nic 0");
        assertThat(targets(schedule.ranks().getFirst().afterEnd(), 0)).containsExactly(1);
    }

    @Test
    void labelsOfAnyFormAreFound() throws IOException {
        StringBuilder text = new StringBuilder("num_ranks 1\nrank 0 {\n");
        List<String> labels =
                List.of("l0", "l00", "l900000000", "L0", "l0_a", "x", "l1", "l70000", "cpu", "l999999999999");
        labels.forEach(label -> text.append(label).append(": calc 1\n"));
        for (int i = 1; i < labels.size(); i++) {
            text.append(labels.get(i))
                    .append(" requires ")
                    .append(labels.get(i - 1))
                    .append('\n');
        }
        StoredSchedule schedule = read(text + "}\n");

        assertThat(schedule.flaws().count()).isZero();
        Operations rank = schedule.ranks().getFirst();
        for (int i = 1; i < labels.size(); i++) {
            assertThat(targets(rank.afterEnd(), i - 1)).as(labels.get(i)).containsExactly(i);
        }
    }

    @Test
    void longFilesAreReadInParts() throws IOException {
        StringBuilder text = new StringBuilder("num_ranks 2\n");
        for (int rank = 0; rank < 2; rank++) {
            text.append("rank ").append(rank).append(" {\n");
            for (int i = 0; i < 60_000; i++) {
                text.append('l').append(i).append(": calc ").append(i).append('\n');
                if (i > 0) {
                    text.append('l')
                            .append(i)
                            .append(" requires l")
                            .append(i - 1)
                            .append('\n');
                }
            }
            text.append("}\n");
        }
        StoredSchedule schedule = read(text.toString());

        assertThat(text.length()).isGreaterThan(3 << 20);
        for (Operations rank : schedule.ranks()) {
            assertThat(rank.size()).isEqualTo(60_000);
            assertThat(rank.amount(59_999)).isEqualTo(59_999);
            assertThat(rank.afterEnd().size()).isEqualTo(59_999);
            assertThat(targets(rank.afterEnd(), 30_000)).containsExactly(30_001);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            calc 1 cpu 256              | rank 0 line 3: cpu 256 is above 255 and would be cut to 8 bits
            send 1b to 1 nic 300        | rank 0 line 3: nic 300 is above 255 and would be cut to 8 bits
            send 1b to 1 tag 4294967296 | rank 0 line 3: tag 4294967296 does not fit into 32 bits
            send 1b to 2                | rank 0 line 3: names rank 2, but there are only 2 ranks
            send 1b to 0                | rank 0 line 3: names its own rank
            recv 1b from -1             | rank 0 line 3: receives from any source, which cannot be proven to match
            calc 9223372036854775808    | rank 0 line 3: the duration does not fit into 63 bits
            x requires y                | rank 0 line 3: label x is used before it is defined
            """)
    void linesThatNoScheduleMayHaveAreNamed(String line, String flaw) throws IOException {
        StoredSchedule schedule = read("num_ranks 2\nrank 0 {\n" + line + "\n}\nrank 1 {\n}\n");

        assertThat(words(schedule)).containsExactly(flaw);
    }

    @Test
    void placesAreNamedWithLineAndLabel() throws IOException {
        Path file = write(TWO);

        Places places = Places.find(new GoalFile(file), List.of(new Place(0, 1), new Place(1, 0)));

        assertThat(places.of(new Place(0, 1))).isEqualTo("rank 0 line 4 (b)");
        assertThat(places.of(new Place(1, 0))).isEqualTo("rank 1 line 8 (r)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                        | line 1: expected num_ranks
            num_ranks 1%rank 0 {%calc%}               | line 3: expected a duration in ns
            num_ranks 1%rank 0 {%a: sned 1b to 0%}    | line 3: expected calc, send or recv, found 'sned 1b to 0'
            num_ranks 1%rank 0 {%send 1 to 0%}        | line 3: expected b, found 'to 0'
            num_ranks 1%rank 0 {%calc 1 nic 2%}       | line 3: expected the end of the line, found 'nic 2'
            num_ranks 1%rank 0 {%send 1b to -1%}      | line 3: expected a rank
            num_ranks 1%rank 0 {%calc 1               | line 4: the file ends inside rank 0, which begins in line 2
            num_ranks 1%/* open                       | ends inside the comment that begins in line 2
            """)
    void whatIsNoScheduleIsRefusedWithItsLine(String text, String message) throws IOException {
        Path file = write(text.replace('%', '\n'));

        assertThatThrownBy(() -> new GoalFile(file).read(5))
                .isInstanceOf(TraceFormatException.class)
                .hasMessageContaining(message)
                .hasMessageContaining(file.toString());
    }

    @Test
    void ranksMustBeInOrderAndAllThere() throws IOException {
        assertThat(words(read("num_ranks 2\nrank 1 {\n}\n")))
                .containsExactly(
                        "line 2: rank 1 stands where rank 0 is due", "num_ranks says 2, but there are 1 ranks");
        assertThat(words(read("num_ranks 1\nrank 0 {\n}\nrank 1 {\n}\n")))
                .containsExactly("line 4: rank 0 is the last, what follows it is never read");
    }

    @Test
    void flawsBeyondTheLimitAreCounted() throws IOException {
        Path file = write("num_ranks 1\nrank 0 {\n" + "calc 1 cpu 256\n".repeat(30) + "}\n");

        Flaws flaws = new GoalFile(file).read(3).flaws();

        assertThat(flaws.count()).isEqualTo(30);
        assertThat(flaws.first()).hasSize(3);
    }

    @Test
    void packedFilesAreRead() throws IOException {
        Path file = folder.resolve("x.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(TWO.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        assertThat(new GoalFile(file).read(5).operations()).isEqualTo(4);
    }

    @Test
    void binaryFilesAreRead() throws IOException {
        StoredSchedule schedule = binary(HexFormat.of().parseHex(BINARY));

        assertThat(schedule.flaws().count()).isZero();
        assertThat(dump(schedule.ranks().getFirst())).containsExactly("calc 258 peer 0 tag 0 cpu 3 nic 0");
    }

    @Test
    void binaryFilesThatContradictThemselvesAreNamed() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(BINARY);
        byte[] waits = bytes.clone();
        waits[42] = 7;
        byte[] cpus = bytes.clone();
        cpus[12] = 9;

        assertThat(words(binary(waits)))
                .containsExactly(
                        "rank 0 operation 0: its record says that it waits for 7 operations, but it waits for 0");
        assertThat(words(binary(cpus)))
                .containsExactly("the header says that cpu 9 and nic 0 are the largest, but they are 3 and 0");
    }

    @Test
    void everyCutOfABinaryFileIsNoticed() {
        byte[] bytes = HexFormat.of().parseHex(BINARY);
        for (int length = 8; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> binary(cut)).as("%s bytes", length).isInstanceOf(TraceFormatException.class);
        }
    }

    @Test
    void everyFlippedByteOfABinaryFileLeadsToAnAnswer() throws IOException {
        byte[] bytes = HexFormat.of().parseHex(BINARY);
        for (int at = 0; at < bytes.length; at++) {
            for (int flip : new int[] {0x01, 0x80, 0xFF}) {
                byte[] damaged = bytes.clone();
                damaged[at] ^= (byte) flip;
                try {
                    binary(damaged);
                } catch (TraceFormatException e) {
                    assertThat(e).hasMessageContaining("x.bin");
                }
            }
        }
    }

    private StoredSchedule read(String text) throws IOException {
        return new GoalFile(write(text)).read(20);
    }

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("x.goal"), text);
    }

    private StoredSchedule binary(byte[] bytes) throws IOException {
        return new GoalFile(Files.write(folder.resolve("x.bin"), bytes)).read(20);
    }

    private List<String> words(StoredSchedule schedule) throws IOException {
        List<Flaw> flaws = schedule.flaws().first();
        Path file = folder.resolve("x.goal");
        Places places = Places.of(new GoalFile(Files.exists(file) ? file : folder.resolve("x.bin")), flaws);
        return flaws.stream().map(flaw -> flaw.in(places)).toList();
    }

    private static List<String> dump(Operations rank) {
        return java.util.stream.IntStream.range(0, rank.size())
                .mapToObj(i -> Operations.word(rank.kind(i)) + " " + rank.amount(i) + " peer " + rank.peer(i) + " tag "
                        + rank.tag(i) + " cpu " + rank.cpu(i) + " nic " + rank.nic(i))
                .toList();
    }

    private static List<Integer> targets(Dependents dependents, int operation) {
        return java.util.stream.IntStream.range(dependents.from(operation), dependents.to(operation))
                .mapToObj(dependents::target)
                .toList();
    }
}
