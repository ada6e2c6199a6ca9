// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.report.Chart.Timeline;
import dev.lockstep.report.Chart.TimelineJoined;
import dev.lockstep.report.Chart.TimelineLinks;
import dev.lockstep.report.Chart.TimelineRow;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a timeline, packed for a page: each row column by column, each column as planes of bytes, the lowest bytes of
 * all values first; the rows of a group together, deflated, in base64. {@code timeline.js} unpacks them.
 *
 * <p>A group that does not fit what is left of the page's size goes in buckets: slices shorter than a bucket are cut at its
 * edges and summed by name, so that sums stay exact and only the place within a bucket is lost.
 */
final class TimelineData {
    /** As many characters everything but the slices of timelines takes in a page of usual size. */
    static final int OTHER_TEXT = 2_250_000;

    /** However small a page shall be, its slices may take so many characters. */
    static final int LEAST_TEXT = 200_000;

    /** start, duration, class, name, number begun, time in which nothing ran, details, what launched it. */
    static final int COLUMNS = 8;

    private static final int SMALLEST_BUCKET = 1_024;
    private static final int COARSER = 4;

    /** More slices than this, and than there is room for characters, are not packed to see whether they fit: they will not. */
    private static final long MANY = 2_000_000;

    private static final int BUCKETS_OF_A_TILE = 2_048;

    /**
     * A row as it is written.
     *
     * @param row its slices, or its buckets
     * @param first number of its first slice among all
     * @param bucketNs width of its buckets, 0 where slices are whole
     * @param widths bytes of a value of each column
     * @param busy sum of the time in which something ran, in ns
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Row(TimelineRow row, int first, long bucketNs, int[] widths, long busy) {}

    /** Rows that are packed together. */
    record Group(String packed, List<Row> rows) {}

    private TimelineData() {}

    /** The groups of a timeline, in the order of its rows; those that come first keep their slices. */
    static List<Group> groups(Timeline timeline, int mostText) {
        List<Group> groups = new ArrayList<>();
        List<TimelineRow> rows = new ArrayList<>();
        long left = mostText;
        int first = 0;
        int next = 0;
        for (int i = 0; i < timeline.rows().size(); i++) {
            TimelineRow row = timeline.rows().get(i);
            rows.add(row);
            next += row.start().length;
            boolean last = i + 1 == timeline.rows().size();
            if (last
                    || !timeline.rows()
                            .get(i + 1)
                            .head()
                            .group()
                            .equals(row.head().group())) {
                Group group = fitting(rows, first, left);
                left -= group.packed.length();
                groups.add(group);
                rows.clear();
                first = next;
            }
        }
        return groups;
    }

    private static Group fitting(List<TimelineRow> rows, int first, long most) {
        long bucket = 0;
        while (true) {
            long next = bucket == 0 ? SMALLEST_BUCKET : bucket * COARSER;
            boolean last = next >= Long.MAX_VALUE / COARSER;
            Group group = packed(rows, first, bucket, last ? Long.MAX_VALUE : most);
            if (group != null) {
                return group;
            }
            bucket = next;
        }
    }

    /**
     * What of a row lies in a span: its slices, or where these are too many, buckets of a two-thousandth of the span.
     *
     * @param first number of the row's first slice among all
     * @param from offset from the timeline's start in ns
     * @param to likewise
     * @param most slices that are given as they are
     */
    static Group tile(TimelineRow row, int first, long from, long to, int most) {
        int low = 0;
        int high = row.start().length;
        while (low < high && row.start()[low] + row.duration()[low] < from) {
            low++;
        }
        while (high > low && row.start()[high - 1] > to) {
            high--;
        }
        TimelineJoined joined = row.joined();
        TimelineLinks links = row.links();
        TimelineRow part = new TimelineRow(
                row.head(),
                Arrays.copyOfRange(row.start(), low, high),
                Arrays.copyOfRange(row.duration(), low, high),
                Arrays.copyOfRange(row.kind(), low, high),
                Arrays.copyOfRange(row.name(), low, high),
                joined == null
                        ? null
                        : new TimelineJoined(
                                Arrays.copyOfRange(joined.merged(), low, high),
                                Arrays.copyOfRange(joined.busy(), low, high)),
                links == null
                        ? null
                        : new TimelineLinks(
                                Arrays.copyOfRange(links.details(), low, high),
                                Arrays.copyOfRange(links.cause(), low, high)));
        long bucket = high - low <= most ? 0 : Math.max(1, Long.highestOneBit((to - from) / BUCKETS_OF_A_TILE));
        return Objects.requireNonNull(packed(List.of(part), first + low, bucket, Long.MAX_VALUE));
    }

    /** Null where that takes more characters; as soon as it does, nothing more is packed. */
    private static @Nullable Group packed(List<TimelineRow> rows, int first, long bucketNs, long mostText) {
        List<Row> written = new ArrayList<>();
        Planes out = new Planes(mostText);
        long most = Math.max(MANY, mostText);
        try {
            int next = first;
            for (TimelineRow row : rows) {
                boolean whole = bucketNs == 0 || row.joined() != null;
                TimelineRow shown =
                        !whole ? new TimelineBuckets(row, bucketNs).row(most) : fits(row, most) ? row : null;
                if (shown == null) {
                    return null;
                }
                written.add(row(shown, next, whole ? 0 : bucketNs, out));
                next += row.start().length;
            }
            String packed = out.end();
            return packed == null ? null : new Group(packed, written);
        } finally {
            out.deflater.end();
        }
    }

    private static boolean fits(TimelineRow row, long most) {
        return row.start().length <= most;
    }

    /** Bytes that are deflated as they come, until they are too many. */
    private static final class Planes {
        private final Deflater deflater = new Deflater();
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
        private final byte[] buffer = new byte[1 << 16];
        private final long mostText;

        Planes(long mostText) {
            this.mostText = mostText;
        }

        boolean areTooMany() {
            return (out.size() + 2L) / 3 * 4 > mostText;
        }

        void add(byte[] plane) {
            deflater.setInput(plane);
            while (!deflater.needsInput() && !areTooMany()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
        }

        /** All of it in base64, null where it is too much. */
        @Nullable
        String end() {
            deflater.finish();
            while (!deflater.finished() && !areTooMany()) {
                out.write(buffer, 0, deflater.deflate(buffer));
            }
            return areTooMany() ? null : Base64.getEncoder().encodeToString(out.toByteArray());
        }
    }

    private static Row row(TimelineRow row, int first, long bucketNs, Planes out) {
        int n = row.start().length;
        int[] widths = new int[COLUMNS];
        long busy = 0;
        long[] values = new long[n];
        for (int column = 0; column < COLUMNS; column++) {
            long all = fill(row, column, values);
            widths[column] = (Long.SIZE - Long.numberOfLeadingZeros(all) + Byte.SIZE - 1) / Byte.SIZE;
            for (int b = 0; b < widths[column] && !out.areTooMany(); b++) {
                byte[] plane = new byte[n];
                for (int i = 0; i < n; i++) {
                    plane[i] = (byte) (values[i] >>> (b * Byte.SIZE));
                }
                out.add(plane);
            }
        }
        TimelineJoined joined = row.joined();
        for (long time : joined == null ? row.duration() : joined.busy()) {
            busy += time;
        }
        return new Row(row, first, bucketNs, widths, busy);
    }

    /** The values of a column, none of them negative; returns all their bits. */
    private static long fill(TimelineRow row, int column, long[] values) {
        TimelineJoined joined = row.joined();
        TimelineLinks links = row.links();
        long all = 0;
        long before = 0;
        for (int i = 0; i < values.length; i++) {
            long value = switch (column) {
                case 0 -> row.start()[i] - before;
                case 1 -> row.duration()[i];
                case 2 -> row.kind()[i];
                case 3 -> row.name()[i] + 1L;
                case 4 -> joined == null ? 0 : joined.merged()[i];
                case 5 -> joined == null ? 0 : row.duration()[i] - joined.busy()[i];
                case 6 -> links == null ? 0 : links.details()[i] + 1L;
                default -> links == null || links.cause()[i] < 0 ? 0 : 1 + zigzag(links.cause()[i] - before);
            };
            if (column == 0) {
                before = row.start()[i];
            } else if (column == COLUMNS - 1 && value > 0 && links != null) {
                before = links.cause()[i];
            }
            values[i] = value;
            all |= value;
        }
        return all;
    }

    private static long zigzag(long value) {
        return value << 1 ^ value >> (Long.SIZE - 1);
    }
}
