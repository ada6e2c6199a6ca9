// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineHead;
import dev.lockstep.report.Chart.TimelineJoined;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import dev.lockstep.report.Chart.TimelineTexts;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;

class TimelineDataTest {
    private static final int NAMES = 7;

    @Test
    void whatIsPackedIsUnpackedAsItWas() throws DataFormatException {
        Timeline timeline = timeline(3, 500, 4_000_000_000_000L);
        List<TimelineData.Group> groups = TimelineData.groups(timeline, Integer.MAX_VALUE);

        assertThat(groups).as("rows of a group stand together").hasSize(2);
        List<long[][]> unpacked = new ArrayList<>();
        for (TimelineData.Group group : groups) {
            unpacked.addAll(unpacked(group));
        }
        int first = 0;
        for (int r = 0; r < timeline.rows().size(); r++) {
            TimelineRow row = timeline.rows().get(r);
            TimelineLinks links = row.links();
            long[][] columns = unpacked.get(r);
            assertThat(links).isNotNull();
            for (int i = 0; i < row.start().length; i++) {
                assertThat(columns[0][i]).isEqualTo(row.start()[i]);
                assertThat(columns[1][i]).isEqualTo(row.duration()[i]);
                assertThat(columns[2][i]).isEqualTo(row.kind()[i]);
                assertThat(columns[3][i] - 1).isEqualTo(row.name()[i]);
                assertThat(columns[6][i] - 1).isEqualTo(links.details()[i]);
                assertThat(columns[7][i]).isEqualTo(links.cause()[i]);
            }
            TimelineData.Row written = groups.get(r == 2 ? 1 : 0).rows().get(r == 2 ? 0 : r);
            assertThat(written.first()).isEqualTo(first);
            assertThat(written.busy()).isEqualTo(sum(row.duration()));
            first += row.start().length;
        }
    }

    @Test
    void bucketsKeepTheTimeAndTheNumberOfEveryName() {
        Timeline timeline = timeline(3, 5_000, 900_000_000L);
        List<TimelineData.Group> groups = TimelineData.groups(timeline, 40_000);

        List<TimelineData.Row> rows =
                groups.stream().flatMap(group -> group.rows().stream()).toList();
        assertThat(rows).anyMatch(row -> row.bucketNs() > 0);
        assertThat(groups.stream().mapToInt(group -> group.packed().length()).sum())
                .isLessThanOrEqualTo(40_000);
        for (int r = 0; r < rows.size(); r++) {
            TimelineRow whole = timeline.rows().get(r);
            TimelineRow shown = rows.get(r).row();
            TimelineJoined joined = shown.joined();
            assertThat(byName(whole, whole.duration(), ones(whole.start().length)))
                    .isEqualTo(
                            joined == null
                                    ? byName(shown, shown.duration(), ones(shown.start().length))
                                    : byName(shown, joined.busy(), joined.merged()));
            for (int i = 1; i < shown.start().length; i++) {
                assertThat(shown.start()[i]).isGreaterThanOrEqualTo(shown.start()[i - 1]);
            }
        }
    }

    @Test
    void aTileHoldsTheSlicesOfItsSpanAndTheirNumbers() throws DataFormatException {
        TimelineRow whole = timeline(1, 5_000, 900_000_000L).rows().getFirst();
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            long from = random.nextLong(800_000_000L);
            long to = from + 1 + random.nextLong(100_000_000L);
            TimelineData.Group tile = TimelineData.tile(whole, 40, from, to, 5_000);
            TimelineData.Row written = tile.rows().getFirst();
            TimelineRow part = written.row();
            int first = written.first() - 40;
            assertThat(written.bucketNs()).isZero();
            assertThat(part.start()).isEqualTo(Arrays.copyOfRange(whole.start(), first, first + part.start().length));
            assertThat(unpacked(tile).getFirst()[0]).isEqualTo(part.start());
            long inside = 0;
            for (int k = 0; k < whole.start().length; k++) {
                inside += inside(whole.start()[k], whole.duration()[k], from, to);
            }
            long shown = 0;
            for (int k = 0; k < part.start().length; k++) {
                shown += inside(part.start()[k], part.duration()[k], from, to);
            }
            assertThat(shown).isEqualTo(inside);
            assertThat(TimelineData.tile(whole, 40, from, to, 10)
                            .rows()
                            .getFirst()
                            .busy())
                    .as("in buckets, as long")
                    .isEqualTo(sum(part.duration()));
        }
    }

    @Test
    void bucketsThatAreMoreThanThereIsRoomForAreNotMade() {
        TimelineRow whole = timeline(1, 5_000, 900_000_000L).rows().getFirst();
        assertThat(new TimelineBuckets(whole, 1024).row(100)).isNull();
        assertThat(new TimelineBuckets(whole, 1024).row(20_000)).isNotNull();
    }

    @Test
    void bucketsThatASelectionHoldsWholeAddUpWithinIt() {
        Timeline timeline = timeline(1, 5_000, 900_000_000L);
        long width = 1 << 20;
        TimelineRow whole = timeline.rows().getFirst();
        TimelineRow shown = Objects.requireNonNull(new TimelineBuckets(whole, width).row(Long.MAX_VALUE));
        TimelineJoined joined = shown.joined();
        assertThat(joined).isNotNull();
        for (long from = 0; from < 900_000_000L; from += 37 * width) {
            long to = from + 11 * width;
            long exact = 0;
            for (int i = 0; i < whole.start().length; i++) {
                exact += whole.duration()[i] < width ? inside(whole.start()[i], whole.duration()[i], from, to) : 0;
            }
            long summed = 0;
            for (int i = 0; i < shown.start().length; i++) {
                boolean bucket = shown.duration()[i] == width && shown.start()[i] % width == 0;
                summed += bucket && shown.start()[i] >= from && shown.start()[i] < to ? joined.busy()[i] : 0;
            }
            assertThat(summed).isEqualTo(exact);
        }
    }

    private static long inside(long start, long duration, long from, long to) {
        return Math.max(0, Math.min(start + duration, to) - Math.max(start, from));
    }

    private static Map<String, Long> byName(TimelineRow row, long[] time, int[] begun) {
        Map<String, Long> sums = new TreeMap<>();
        for (int i = 0; i < time.length; i++) {
            sums.merge(row.name()[i] + " time", time[i], Long::sum);
            sums.merge(row.name()[i] + " begun", (long) begun[i], Long::sum);
        }
        return sums;
    }

    private static int[] ones(int n) {
        int[] ones = new int[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private static long sum(long[] values) {
        long sum = 0;
        for (long value : values) {
            sum += value;
        }
        return sum;
    }

    private static Timeline timeline(int count, int slices, long length) {
        Random random = new Random(count);
        List<TimelineRow> rows = new ArrayList<>();
        for (int r = 0; r < count; r++) {
            long[] start = new long[slices];
            long[] duration = new long[slices];
            int[] kind = new int[slices];
            int[] name = new int[slices];
            int[] details = new int[slices];
            int[] cause = new int[slices];
            long slot = length / slices;
            for (int i = 0; i < slices; i++) {
                start[i] = i * slot + random.nextLong(slot / 4);
                duration[i] = random.nextInt(9) == 0 ? 0 : random.nextLong(slot / (1 + random.nextInt(100)) / 2 + 1);
                kind[i] = random.nextInt(3);
                name[i] = random.nextInt(NAMES + 1) - 1;
                details[i] = random.nextInt(5) - 1;
                cause[i] = random.nextBoolean() ? -1 : random.nextInt(count * slices);
            }
            TimelineHead head = new TimelineHead("row " + r, r < 2 ? "device" : "host", false);
            rows.add(new TimelineRow(head, start, duration, kind, name, null, new TimelineLinks(details, cause)));
        }
        TimelineTexts texts =
                new TimelineTexts(List.of("a", "b", "c", "d", "e", "f", "g"), List.of("x", "y", "z", "w"));
        return new Timeline("t", "", 0, length, List.of("compute", "communication", "memory"), texts, rows);
    }

    /** Absolute starts, and causes as they were given; else what is packed. */
    private static List<long[][]> unpacked(TimelineData.Group group) throws DataFormatException {
        byte[] bytes = inflated(group.packed());
        List<long[][]> rows = new ArrayList<>();
        int at = 0;
        for (TimelineData.Row row : group.rows()) {
            int n = row.row().start().length;
            long[][] columns = new long[TimelineData.COLUMNS][n];
            for (int c = 0; c < columns.length; c++) {
                for (int b = 0; b < row.widths()[c]; b++) {
                    for (int i = 0; i < n; i++) {
                        columns[c][i] |= (bytes[at++] & 0xffL) << (8 * b);
                    }
                }
            }
            long cause = 0;
            for (int i = 0; i < n; i++) {
                columns[0][i] += i == 0 ? 0 : columns[0][i - 1];
                long zigzag = columns[7][i] - 1;
                cause += zigzag < 0 ? 0 : zigzag >>> 1 ^ -(zigzag & 1);
                columns[7][i] = zigzag < 0 ? -1 : cause;
            }
            rows.add(columns);
        }
        assertThat(at).isEqualTo(bytes.length);
        return rows;
    }

    private static byte[] inflated(String base64) throws DataFormatException {
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(Base64.getDecoder().decode(base64));
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            while (!inflater.finished()) {
                out.write(buffer, 0, inflater.inflate(buffer));
            }
            return out.toByteArray();
        } finally {
            inflater.end();
        }
    }
}
