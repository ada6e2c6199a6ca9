// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.simulate;

import dev.lockstep.goal.stored.Operations;
import dev.lockstep.table.LongList;

/**
 * When ranks calculate, and when they are busy with messages, in so few intervals that they can be drawn. While there are
 * few, each is kept; when there are too many, those that lie closer than a raster become one, and the raster grows.
 */
public final class BusyTimeline implements Activity {
    /** What keeps a rank busy. */
    public enum Part {
        CALCULATION,
        MESSAGES
    }

    private static final int PARTS = Part.values().length;

    private final int most;
    private final Line[] lines;

    /** @param most how many intervals are kept for each rank and part */
    public BusyTimeline(int ranks, int most) {
        this.most = most;
        lines = new Line[ranks * PARTS];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = new Line();
        }
    }

    @Override
    public void busy(int rank, byte kind, long start, long end) {
        Part part = kind == Operations.CALC ? Part.CALCULATION : Part.MESSAGES;
        if (end > start) {
            lines[rank * PARTS + part.ordinal()].add(start, end, most);
        }
    }

    /** How many intervals there are. */
    public int size(int rank, Part part) {
        return line(rank, part).starts.size();
    }

    public long start(int rank, Part part, int i) {
        return line(rank, part).starts.get(i);
    }

    public long end(int rank, Part part, int i) {
        return line(rank, part).ends.get(i);
    }

    /** How many busy times were joined into an interval. */
    public long joined(int rank, Part part, int i) {
        return line(rank, part).joined.get(i);
    }

    /** Time in which anything of a part went on. */
    public long total(int rank, Part part) {
        return line(rank, part).total;
    }

    private Line line(int rank, Part part) {
        return lines[rank * PARTS + part.ordinal()];
    }

    private static final class Line {
        private LongList starts = new LongList(0);
        private LongList ends = new LongList(0);
        private LongList joined = new LongList(0);
        private long raster;
        private long covered;
        private long total;

        void add(long start, long end, int most) {
            long from = Math.max(start, covered);
            if (end > from) {
                total += end - from;
                covered = end;
            }
            int last = starts.size() - 1;
            if (last >= 0 && start - ends.get(last) <= raster) {
                ends.set(last, Math.max(ends.get(last), end));
                starts.set(last, Math.min(starts.get(last), start));
                joined.set(last, joined.get(last) + 1);
                return;
            }
            starts.add(start);
            ends.add(end);
            joined.add(1);
            if (starts.size() > most) {
                coarsen(most);
            }
        }

        private void coarsen(int most) {
            while (starts.size() > most / 2) {
                raster = Math.max(2 * raster, (ends.get(ends.size() - 1) - starts.get(0)) / most);
                LongList oldStarts = starts;
                LongList oldEnds = ends;
                LongList oldJoined = joined;
                starts = new LongList(64);
                ends = new LongList(64);
                joined = new LongList(64);
                for (int i = 0; i < oldStarts.size(); i++) {
                    int last = starts.size() - 1;
                    if (last >= 0 && oldStarts.get(i) - ends.get(last) <= raster) {
                        ends.set(last, Math.max(ends.get(last), oldEnds.get(i)));
                        joined.set(last, joined.get(last) + oldJoined.get(i));
                    } else {
                        starts.add(oldStarts.get(i));
                        ends.add(oldEnds.get(i));
                        joined.add(oldJoined.get(i));
                    }
                }
            }
        }
    }
}
