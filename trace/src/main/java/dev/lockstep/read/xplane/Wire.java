// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.read.xplane;

/**
 * Tags of the fields of a profile, as they stand in the file: number and kind of value. A file is one message
 * {@code XSpace}:
 *
 * <pre>
 * XSpace          1 planes*  2 errors*  3 warnings*  4 hostnames*
 * XPlane          1 id  2 name  3 lines*  4 event_metadata*  5 stat_metadata* (maps)  6 stats*
 * XLine           1 id  2 name  3 timestamp_ns  4 events*  9 duration_ps  10 display_id  11 display_name
 * XEvent          1 metadata_id  2 offset_ps or 5 num_occurrences  3 duration_ps  4 stats*
 * XStat           1 metadata_id  2 double  3 uint64  4 int64  5 str  6 bytes  7 ref (names a stat metadata)
 * XEventMetadata  1 id  2 name  3 metadata  4 display_name  5 stats*  6 child_id*
 * XStatMetadata   1 id  2 name  3 description
 * </pre>
 *
 * <p>An event begins at {@code timestamp_ns * 1000 + offset_ps} picoseconds.
 */
final class Wire {
    static final int SPACE_PLANE = 1 << 3 | 2;
    static final int SPACE_ERROR = 2 << 3 | 2;
    static final int SPACE_WARNING = 3 << 3 | 2;
    static final int SPACE_HOST = 4 << 3 | 2;

    static final int PLANE_ID = 1 << 3;
    static final int PLANE_NAME = 2 << 3 | 2;
    static final int PLANE_LINE = 3 << 3 | 2;
    static final int PLANE_EVENT_METADATA = 4 << 3 | 2;
    static final int PLANE_STAT_METADATA = 5 << 3 | 2;
    static final int PLANE_STAT = 6 << 3 | 2;

    static final int LINE_ID = 1 << 3;
    static final int LINE_NAME = 2 << 3 | 2;
    static final int LINE_TIMESTAMP = 3 << 3;
    static final int LINE_EVENT = 4 << 3 | 2;
    static final int LINE_DISPLAY_ID = 10 << 3;
    static final int LINE_DISPLAY_NAME = 11 << 3 | 2;

    static final int EVENT_METADATA = 1 << 3;
    static final int EVENT_OFFSET = 2 << 3;
    static final int EVENT_DURATION = 3 << 3;
    static final int EVENT_STAT = 4 << 3 | 2;
    static final int EVENT_OCCURRENCES = 5 << 3;

    static final int STAT_METADATA = 1 << 3;
    static final int STAT_DOUBLE = 2 << 3 | 1;
    static final int STAT_UINT = 3 << 3;
    static final int STAT_INT = 4 << 3;
    static final int STAT_TEXT = 5 << 3 | 2;
    static final int STAT_BYTES = 6 << 3 | 2;
    static final int STAT_REF = 7 << 3;

    static final int ENTRY_KEY = 1 << 3;
    static final int ENTRY_VALUE = 2 << 3 | 2;

    static final int METADATA_NAME = 2 << 3 | 2;
    static final int METADATA_DISPLAY_NAME = 4 << 3 | 2;
    static final int METADATA_STAT = 5 << 3 | 2;

    private Wire() {}
}
