// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.analyze.StudentT;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much longer computations take while a collective runs on their device, learnt from computations of one recorded shape that had one
 * beside them for more or less of their time, on the same rank. A kernel gets on at 1 / (1 + c) of its pace there, also beside a collective that
 * only waits for its last member: so with other durations it takes longer or less than recorded.
 *
 * <p>ln(duration) = own of shape and rank + λ × share of the time beside a collective, by least squares; c = exp(λ) - 1. What a shape
 * shows by itself is drawn to what its name shows, that to what its operator shows, and that to what all show, by the reciprocals of
 * their variances. Nothing is taken for
 * contention unless all computations together show it beyond chance.
 */
final class Contention {
    /** How sure it must be that there is any. */
    private static final double SURE = 0.999;

    private static final int FEWEST = 12;

    /** Fewer places say nothing of how much they differ. */
    private static final int FEWEST_PLACES = 4;

    /** How far what one shape shows may lie from the rest, as a part of what these show: one standard deviation. */
    private static final double DIFFERENT = 0.5;

    private static final int MOST_REPLAYS = 8;

    /** Computations of a device that change by less than this part of the run, in sum, have settled. */
    private static final long SETTLED = 20_000;

    private static final int[] NONE = {};

    private final DependencyGraph graph;
    /** Computations: the edge each runs along, the vertices at its start and end, and the device. */
    private int[] runs = NONE;

    private int[] starts = NONE;
    private int[] ends = NONE;
    private int[] deviceOf = NONE;
    /** How many times as long each takes beside a collective, and how long it takes alone. */
    private double[] slowdown = {};

    private double[] alone = {};
    private long[] rounded = {};
    /** By device: collectives, in pairs of the vertices at start and end. */
    private int[][] collectives = {};

    /** Changes of the computations of a device below this, in ns, are none. */
    private long settled;

    private final boolean known;

    Contention(DependencyGraph graph) {
        this.graph = graph;
        if (graph.knowsShapes()) {
            collect();
        }
        known = runs.length >= FEWEST && learn();
        if (!known) {
            collectives = new int[0][];
            runs = NONE;
            starts = NONE;
            ends = NONE;
            deviceOf = NONE;
        }
    }

    /** Whether computations take longer beside collectives. */
    boolean isKnown() {
        return known;
    }

    private void collect() {
        int[] devices = devices();
        IntList[] pairs = new IntList[collectives.length];
        Arrays.setAll(pairs, i -> new IntList(16));
        IntList found = new IntList(1024);
        for (int v = 0; v < graph.size(); v++) {
            int device = devices[graph.trackOf(v)];
            int start = device < 0 ? -1 : start(v);
            if (start < 0 || graph.trackOf(start) != graph.trackOf(v)) {
                continue;
            }
            if (graph.pathClass(v) == PathClass.COMMUNICATION) {
                pairs[device].add(start);
                pairs[device].add(v);
            } else if (graph.pathClass(v) == PathClass.COMPUTATION && isWork(v, start)) {
                found.add(v);
            }
        }
        Arrays.setAll(collectives, device -> pairs[device].toArray());
        ends = found.toArray();
        runs = new int[ends.length];
        starts = new int[ends.length];
        deviceOf = new int[ends.length];
        for (int i = 0; i < ends.length; i++) {
            runs[i] = graph.edge(ends[i], EdgeKind.RUN);
            starts[i] = graph.source[runs[i]];
            deviceOf[i] = devices[graph.trackOf(ends[i])];
        }
    }

    /** Whether what starts and ends at these vertices takes time; what only waits takes none of its own. */
    private boolean isWork(int end, int start) {
        return graph.time[end] > graph.time[start] && graph.weight[graph.edge(end, EdgeKind.RUN)] > 0;
    }

    /** By track: the number of its device, -1 for threads. */
    private int[] devices() {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        int[] devices = new int[graph.tracks.size()];
        for (int track = 0; track < devices.length; track++) {
            PathTrack of = graph.tracks.get(track);
            String key = of.rank() + "/" + of.device();
            devices[track] = of.onDevice() ? numbers.computeIfAbsent(key, k -> numbers.size()) : -1;
        }
        collectives = new int[numbers.size()][];
        return devices;
    }

    /** The start of the activity that ends at a vertex; -1 where none does. */
    private int start(int end) {
        int run = graph.source(end, EdgeKind.RUN);
        if (run >= 0) {
            return run;
        }
        for (int e = graph.firstEdge[end]; e < graph.firstEdge[end + 1]; e++) {
            int source = graph.source[e];
            boolean member = graph.kind[e] == EdgeKind.MEMBER.ordinal();
            if (member && graph.firstEdge[end + 1] - graph.firstEdge[end] > 1 && !isMeeting(source)) {
                return source;
            }
        }
        return -1;
    }

    private boolean isMeeting(int vertex) {
        int e = graph.firstEdge[vertex];
        return e < graph.firstEdge[vertex + 1] && graph.kind[e] == EdgeKind.MEMBER.ordinal();
    }

    // ---- learning ---------------------------------------------------------------------------------------------------

    /**
     * Sums of squares about the means of shape and rank, of like computations. What is computed at one place of the run on several ranks
     * may differ from the mean on all of them alike, so that chance is judged by places and not by computations.
     */
    private static final class Scatter {
        private double xx;
        private double xy;
        /** Sums over places, of squares and products of what each adds to the sums above. */
        private double xxSquared;

        private double xySquared;
        private double xxTimesXy;
        private int places;

        void addPlace(double xxOfPlace, double xyOfPlace) {
            if (xxOfPlace > 0) {
                xx += xxOfPlace;
                xy += xyOfPlace;
                xxSquared += xxOfPlace * xxOfPlace;
                xySquared += xyOfPlace * xyOfPlace;
                xxTimesXy += xxOfPlace * xyOfPlace;
                places++;
            }
        }

        double slope() {
            return xx > 0 ? xy / xx : 0;
        }

        /** Square of the standard error of the slope. */
        double variance() {
            if (places < FEWEST_PLACES) {
                return Double.POSITIVE_INFINITY;
            }
            double residual = xySquared - 2 * slope() * xxTimesXy + slope() * slope() * xxSquared;
            return Math.max(0, residual) / xx / xx * places / (places - 1);
        }

        boolean isSure() {
            return places >= FEWEST
                    && slope() > 0
                    && slope() > StudentT.twoSided(SURE, places - 1) * Math.sqrt(variance());
        }

        /** What it shows, drawn to what more computations show. */
        double drawnTo(double more) {
            double own = variance();
            if (own == Double.POSITIVE_INFINITY) {
                return more;
            }
            double apart = DIFFERENT * more * (DIFFERENT * more);
            return apart + own > 0 ? Math.max(0, (slope() * apart + more * own) / (apart + own)) : more;
        }
    }

    private boolean learn() {
        Busy[] busy = busy(graph.time);
        int n = runs.length;
        double[] beside = new double[n];
        double[] logarithms = new double[n];
        for (int i = 0; i < n; i++) {
            long start = graph.time[starts[i]];
            long end = graph.time[ends[i]];
            beside[i] = (double) busy[deviceOf[i]].between(start, end) / (end - start);
            logarithms[i] = Math.log((double) (end - start));
        }
        Likes likes = new Likes();
        Scatter all = new Scatter();
        Scatter[] byShape = scatters(likes.shapes.size());
        Scatter[] byName = scatters(likes.names.size());
        Scatter[] byOperator = scatters(likes.operators.size());
        Places places = new Places(beside, logarithms, likes);
        for (int place = 0; place < places.count(); place++) {
            int i = places.first(place);
            if (graph.shape(ends[i]) != 0) {
                int piece = graph.piece(ends[i]);
                double xx = places.xx(place);
                double xy = places.xy(place);
                all.addPlace(xx, xy);
                byShape[likes.shapeOf[piece]].addPlace(xx, xy);
                byName[likes.nameOf[piece]].addPlace(xx, xy);
                byOperator[likes.operatorOf[piece]].addPlace(xx, xy);
            }
        }
        if (!all.isSure()) {
            return false;
        }
        double[] slowdowns = new double[graph.pieces()];
        for (int piece = 0; piece < slowdowns.length; piece++) {
            if (likes.isAny(piece)) {
                double ofOperator = byOperator[likes.operatorOf[piece]].drawnTo(all.slope());
                double ofName = byName[likes.nameOf[piece]].drawnTo(ofOperator);
                slowdowns[piece] = Math.exp(byShape[likes.shapeOf[piece]].drawnTo(ofName));
            }
        }
        settled = span() / SETTLED;
        slowdown = new double[n];
        alone = new double[n];
        rounded = new long[n];
        for (int i = 0; i < n; i++) {
            slowdown[i] = slowdowns[graph.piece(ends[i])];
            double duration = graph.time[ends[i]] - graph.time[starts[i]];
            alone[i] = duration * (1 - beside[i]) + duration * beside[i] / slowdown[i];
            // what does not come out as recorded is left as it is
            if (Math.round(busy[deviceOf[i]].duration(graph.time[starts[i]], alone[i], slowdown[i])) != duration) {
                slowdown[i] = 1;
                alone[i] = duration;
            }
            rounded[i] = Math.round(alone[i]);
        }
        return true;
    }

    private long span() {
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (long time : graph.time) {
            first = Math.min(first, time);
            last = Math.max(last, time);
        }
        return last - first;
    }

    /** Which computations are alike: numbers of their names, operators, shapes, and shapes on a device, by what they are in the graph. */
    private final class Likes {
        private final LongIntMap names = new LongIntMap(64);
        private final LongIntMap operators = new LongIntMap(64);
        private final LongIntMap shapes = new LongIntMap(256);
        private final LongIntMap cells = new LongIntMap(256);
        private final int[] nameOf = new int[graph.pieces()];
        private final int[] operatorOf = new int[graph.pieces()];
        private final int[] shapeOf = new int[graph.pieces()];
        private final int[] cellOf = new int[graph.pieces()];

        Likes() {
            Arrays.fill(cellOf, -1);
            for (int i = 0; i < ends.length; i++) {
                int piece = graph.piece(ends[i]);
                if (cellOf[piece] < 0) {
                    long label = graph.label(ends[i]) + 1L;
                    nameOf[piece] = names.numberOf(label);
                    operatorOf[piece] = operators.numberOf(graph.operator(ends[i]) + 1);
                    shapeOf[piece] = shapes.numberOf(label << Integer.SIZE | graph.shape(ends[i]) & 0xFFFFFFFFL);
                    cellOf[piece] = cells.numberOf((long) shapeOf[piece] << Integer.SIZE | deviceOf[i]);
                }
            }
        }

        boolean isAny(int piece) {
            return cellOf[piece] >= 0;
        }

        /** The number of its shape on its device. */
        int cell(int i) {
            return cellOf[graph.piece(ends[i])];
        }

        int shape(int i) {
            return shapeOf[graph.piece(ends[i])];
        }
    }

    private static Scatter[] scatters(int count) {
        Scatter[] all = new Scatter[count];
        Arrays.setAll(all, i -> new Scatter());
        return all;
    }

    /** Squares about the means of shape and rank, added up over the n-th computations of a shape on all ranks. */
    private static final class Places {
        private final double[] xx;
        private final double[] xy;
        private final IntList firsts = new IntList(64);

        Places(double[] beside, double[] logarithms, Likes likes) {
            xx = new double[beside.length];
            xy = new double[beside.length];
            int cells = likes.cells.size();
            double[] x = new double[cells];
            double[] y = new double[cells];
            int[] count = new int[cells];
            int[] most = new int[likes.shapes.size() + 1];
            for (int i = 0; i < beside.length; i++) {
                int cell = likes.cell(i);
                x[cell] += beside[i];
                y[cell] += logarithms[i];
                count[cell]++;
                most[likes.shape(i)] = Math.max(most[likes.shape(i)], count[cell]);
            }
            int[] numbers = new int[firstPlaces(most)];
            Arrays.fill(numbers, -1);
            int[] seen = new int[cells];
            for (int i = 0; i < beside.length; i++) {
                int cell = likes.cell(i);
                double dx = beside[i] - x[cell] / count[cell];
                double dy = logarithms[i] - y[cell] / count[cell];
                int number = most[likes.shape(i)] + seen[cell]++;
                if (numbers[number] < 0) {
                    numbers[number] = firsts.size();
                    firsts.add(i);
                }
                xx[numbers[number]] += dx * dx;
                xy[numbers[number]] += dx * dy;
            }
        }

        /** Puts in place of each count the sum of those before it; returns the sum of all. */
        private static int firstPlaces(int[] counts) {
            int sum = 0;
            for (int i = 0; i < counts.length; i++) {
                int count = counts[i];
                counts[i] = sum;
                sum += count;
            }
            return sum;
        }

        int count() {
            return firsts.size();
        }

        /** One of the computations. */
        int first(int place) {
            return firsts.get(place);
        }

        double xx(int place) {
            return xx[place];
        }

        double xy(int place) {
            return xy[place];
        }
    }

    // ---- replaying --------------------------------------------------------------------------------------------------

    /** When any collective runs on a device: stretches that do not touch, in order. */
    private static final class Busy {
        private final long[] from;
        private final long[] to;
        private int count;

        /** Where the last question was answered. */
        private int hint;

        /**
         * Puts stretches together.
         *
         * @param pairs vertices at the start and end of each collective, roughly in order
         */
        Busy(int[] pairs, long[] at) {
            int n = pairs.length / 2;
            from = new long[n];
            to = new long[n];
            for (int i = 0; i < n; i++) {
                long start = at[pairs[2 * i]];
                long end = at[pairs[2 * i + 1]];
                int place = i;
                for (; place > 0 && from[place - 1] > start; place--) {
                    from[place] = from[place - 1];
                    to[place] = to[place - 1];
                }
                from[place] = start;
                to[place] = end;
            }
            for (int i = 0; i < n; i++) {
                if (count > 0 && from[i] <= to[count - 1]) {
                    to[count - 1] = Math.max(to[count - 1], to[i]);
                } else {
                    from[count] = from[i];
                    to[count++] = to[i];
                }
            }
        }

        /** The first stretch that ends after a moment. Moments of successive questions are near each other. */
        private int after(long moment) {
            while (hint > 0 && to[hint - 1] > moment) {
                hint--;
            }
            while (hint < count && to[hint] <= moment) {
                hint++;
            }
            return hint;
        }

        long between(long start, long end) {
            long time = 0;
            for (int i = after(start); i < count && from[i] < end; i++) {
                time += Math.min(end, to[i]) - Math.max(start, from[i]);
            }
            return time;
        }

        /** How long something takes from a moment on that alone takes this long, and this many times that inside the stretches. */
        double duration(long start, double alone, double slowdown) {
            double left = alone;
            double at = 0; // from the start on: since 1970, a double tells no nanoseconds
            for (int i = after(start); i < count && from[i] - start - at < left; i++) {
                if (from[i] - start > at) {
                    left -= from[i] - start - at;
                    at = from[i] - start;
                }
                double inside = to[i] - start - at;
                if (left * slowdown <= inside) {
                    return at + left * slowdown;
                }
                left -= inside / slowdown;
                at += inside;
            }
            return at + left;
        }
    }

    private Busy[] busy(long[] at) {
        Busy[] busy = new Busy[collectives.length];
        for (int d = 0; d < busy.length; d++) {
            busy[d] = new Busy(collectives[d], at);
        }
        return busy;
    }

    /** Writes down the weights of the graph, of computations as if they had run alone. */
    void weightsAlone(long[] weights) {
        System.arraycopy(graph.weight, 0, weights, 0, weights.length);
        for (int i = 0; i < runs.length; i++) {
            weights[runs[i]] = rounded[i];
        }
    }

    /**
     * When every vertex comes. Which collectives run beside a computation follows from the replay, so that it is repeated until the
     * computations have settled.
     *
     * @param weights of edges, of computations as if they ran alone; afterwards as they then ran
     * @param at what comes out, by vertex
     */
    void replay(long[] weights, long[] residuals, long[] at) {
        if (!known) {
            graph.replay(weights, residuals, at);
            return;
        }
        double[] own = new double[runs.length];
        Busy[] recorded = busy(graph.time);
        for (int i = 0; i < runs.length; i++) {
            long wanted = weights[runs[i]];
            own[i] = wanted == rounded[i] ? alone[i] : wanted;
            weights[runs[i]] = wanted == rounded[i] ? graph.weight[runs[i]] : duration(i, own[i], recorded, graph.time);
        }
        graph.replay(weights, residuals, at);
        for (int round = 1; round < MOST_REPLAYS; round++) {
            long[] moved = new long[collectives.length];
            Busy[] busy = busy(at);
            for (int i = 0; i < runs.length; i++) {
                long duration = duration(i, own[i], busy, at);
                moved[deviceOf[i]] += Math.abs(duration - weights[runs[i]]);
                weights[runs[i]] = duration;
            }
            if (Arrays.stream(moved).max().orElse(0) <= settled) {
                return;
            }
            graph.replay(weights, residuals, at);
        }
    }

    private long duration(int i, double own, Busy[] busy, long[] at) {
        return own == 0 ? 0 : Math.round(busy[deviceOf[i]].duration(at[starts[i]], own, slowdown[i]));
    }
}
