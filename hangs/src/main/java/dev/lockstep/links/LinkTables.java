// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.links;

import static dev.lockstep.table.ColumnSpec.count;
import static dev.lockstep.table.ColumnSpec.id;
import static dev.lockstep.table.ColumnSpec.millis;
import static dev.lockstep.table.ColumnSpec.percent;
import static dev.lockstep.table.ColumnSpec.real;
import static dev.lockstep.table.ColumnSpec.text;

import dev.lockstep.links.LateRanks.Late;
import dev.lockstep.links.LinkComparison.Compared;
import dev.lockstep.links.LinkComparison.Like;
import dev.lockstep.links.LinkComparison.Loss;
import dev.lockstep.links.LinkReport.Verdict;
import dev.lockstep.links.Traffic.Communicator;
import dev.lockstep.report.Chart;
import dev.lockstep.session.FileRanks;
import dev.lockstep.table.ColumnSpec;
import dev.lockstep.table.Fields;
import dev.lockstep.table.Quantiles;
import dev.lockstep.table.Table;
import dev.lockstep.table.Unit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The tables about links, and the picture of their bandwidth over time. */
@SuppressWarnings("ArrayRecordComponent")
final class LinkTables {
    static final String VERDICTS = "link_verdict";
    private static final int PARTS = 24;
    private static final int MOST_DRAWN = 64;
    private static final double LOW = 0.1;
    private static final double HIGH = 0.9;

    private final Traffic traffic;
    private final long startUs;
    private final long endUs;
    private final LinkComparison comparison;

    LinkTables(Traffic traffic, long startUs, long endUs, LinkComparison comparison) {
        this.traffic = traffic;
        this.startUs = startUs;
        this.endUs = endUs;
        this.comparison = comparison;
    }

    private static ColumnSpec bandwidth(String head, String doc) {
        return real(head, Unit.BYTES_PER_SECOND, Unit.GIGABYTES_PER_SECOND, doc);
    }

    private static double bytes(double gigabytes) {
        return gigabytes * Unit.GIGABYTES_PER_SECOND.scale();
    }

    private static ColumnSpec seconds(String head, String doc) {
        return real(head, Unit.SECONDS, Unit.SECONDS, doc);
    }

    Table verdicts(List<Verdict> verdicts) {
        return new Fields<Verdict>()
                .add(
                        text(
                                "kind",
                                "slow_link, slow_nic, slow_node, slow_group: where bandwidth is lost; slow_network: on all"
                                        + " like links at one time; late_rank: others wait for it, its links are not slow."),
                        Verdict::kind)
                .add(
                        text("ranks", "Ranks there, by their numbers in the largest communicator."),
                        v -> ranges(v.ranks()))
                .add(text("nodes", "Hosts of these."), v -> String.join(", ", v.hosts()))
                .add(
                        percent("lost %", "Share of bandwidth that is lost; of a late rank, of time that others wait."),
                        v -> 100 * v.share())
                .add(seconds("from s", "When it begins, since the first record."), v -> v.fromUs() / 1e6)
                .add(seconds("to s", "When it ends."), v -> v.toUs() / 1e6)
                .add(text("communicators", "Communicators that show it."), v -> String.join(", ", v.communicators()))
                .add(text("verdict", "The same as a sentence."), Verdict::sentence)
                .table(VERDICTS, "Slow links and late ranks", verdicts);
    }

    private static @Nullable String ranges(List<Integer> ranks) {
        return ranks.isEmpty() ? null : FileRanks.ranges(ranks);
    }

    private @Nullable Long rank(Course course, int of) {
        int speaker = of < 0 ? -1 : course.communicator.speakers[of];
        return speaker < 0 ? null : (long) traffic.speaker(speaker).rank();
    }

    /** One line of bandwidth. */
    private record Row(Course course, @Nullable Compared compared, double[] sorted, double waiting) {}

    Table bandwidth() {
        Map<Course, Compared> compared = new LinkedHashMap<>();
        comparison.compared().forEach(one -> compared.put(one.course(), one));
        List<Row> rows = traffic.courses().stream()
                .map(course -> row(course, compared.get(course)))
                .toList();
        return new Fields<Row>()
                .add(text("communicator", "Its name, or its hash."), r -> LinkReport.named(r.course.communicator))
                .add(
                        text("operation", "What is transferred; SendRecv from one rank to another."),
                        r -> r.course.operation)
                .add(
                        text("algorithm", "Algorithm and protocol; missing where they were not recorded."),
                        r -> r.course.algorithm.isEmpty() ? null : r.course.algorithm)
                .add(real("bytes", Unit.BYTES, Unit.BYTES, "Size of a message, its three leading bits."), r ->
                        (double) r.course.bytes)
                .add(count("ranks", "Members of the communicator."), r -> (long) r.course.communicator.ranks)
                .add(count("nodes", "Nodes that it spans."), r -> (long) r.course.communicator.nodes)
                .add(id("from", "Rank that sends; missing of a collective."), r -> rank(r.course, r.course.from))
                .add(id("to", "Rank that receives; missing of a collective."), r -> rank(r.course, r.course.to))
                .add(count("operations", "Operations that were recorded."), r -> (long) r.course.size())
                .add(count("complete", "Operations of which all members told their time."), r -> (long) r.sorted.length)
                .add(
                        bandwidth("bus bw GB/s", "Median bus bandwidth of these, without waiting; missing for none."),
                        r -> r.sorted.length == 0 ? null : bytes(Quantiles.median(r.sorted, r.sorted.length)))
                .add(bandwidth("p10 GB/s", "One in ten of them is slower."), r -> quantile(r.sorted, LOW))
                .add(bandwidth("p90 GB/s", "One in ten of them is quicker."), r -> quantile(r.sorted, HIGH))
                .add(
                        percent(
                                "lost %",
                                "Less than the median of all that are alike; missing where fewer than four are."),
                        r -> r.compared == null ? null : 100 * r.compared.lost())
                .add(
                        percent("waiting %", "Share of the time of its operations in which the first rank waits."),
                        r -> 100 * r.waiting)
                .table("link_bandwidth", "Bandwidth of communicators and links", rows);
    }

    private static @Nullable Double quantile(double[] sorted, double share) {
        return sorted.length == 0 ? null : bytes(Quantiles.interpolated(sorted, share));
    }

    private static Row row(Course course, @Nullable Compared compared) {
        int[] complete = course.complete();
        double[] sorted =
                IntStream.of(complete).mapToDouble(course::bandwidth).sorted().toArray();
        double waits = 0;
        double time = 0;
        for (int row : complete) {
            waits += course.longestNs(row) - course.shortestNs(row);
            time += course.longestNs(row);
        }
        return new Row(course, compared, sorted, time == 0 ? 0 : waits / time);
    }

    /** What is alike, in a part of the run. */
    private record Part(Like like, int part, double[] sorted, double waiting) {}

    Table history() {
        Map<Like, List<Course>> likes = new LinkedHashMap<>();
        for (Course course : traffic.courses()) {
            if (course.complete().length > 0) {
                likes.computeIfAbsent(comparison.like(course), k -> new ArrayList<>())
                        .add(course);
            }
        }
        List<Part> rows = new ArrayList<>();
        likes.forEach((like, courses) -> {
            double[][] sorted = byPart(courses);
            double[] waits = new double[PARTS];
            double[] times = new double[PARTS];
            for (Course course : courses) {
                for (int row : course.complete()) {
                    int part = part(course.calledUs(row));
                    waits[part] += course.longestNs(row) - course.shortestNs(row);
                    times[part] += course.longestNs(row);
                }
            }
            for (int part = 0; part < PARTS; part++) {
                if (sorted[part].length > 0) {
                    rows.add(new Part(like, part, sorted[part], waits[part] / times[part]));
                }
            }
        });
        return new Fields<Part>()
                .add(text("operation", "What is transferred."), p -> p.like.operation())
                .add(
                        text("algorithm", "Algorithm and protocol; missing where they were not recorded."),
                        p -> p.like.algorithm().isEmpty() ? null : p.like.algorithm())
                .add(real("bytes", Unit.BYTES, Unit.BYTES, "Size of a message, its three leading bits."), p ->
                        (double) p.like.bytes())
                .add(count("ranks", "Members of each communicator."), p -> (long) p.like.ranks())
                .add(count("nodes", "Nodes that each spans."), p -> (long) p.like.nodes())
                .add(
                        seconds("from s", "When the part of the run begins, since the first record."),
                        p -> (endUs - startUs) / 1e6 * p.part / PARTS)
                .add(count("operations", "Complete operations in it."), p -> (long) p.sorted.length)
                .add(bandwidth("p10 GB/s", "One in ten of them is slower."), p -> quantile(p.sorted, LOW))
                .add(bandwidth("bus bw GB/s", "Their median."), p -> quantile(p.sorted, 1 / 2.0))
                .add(bandwidth("p90 GB/s", "One in ten of them is quicker."), p -> quantile(p.sorted, HIGH))
                .add(percent("waiting %", "Share of their time in which the first rank waits."), p -> 100 * p.waiting)
                .table("link_history", "Bandwidth over time", rows);
    }

    /** The bandwidths of complete operations in each part of the run, the least first. */
    private double[][] byPart(List<Course> courses) {
        int[] counts = new int[PARTS];
        for (Course course : courses) {
            for (int row : course.complete()) {
                counts[part(course.calledUs(row))]++;
            }
        }
        double[][] sorted = new double[PARTS][];
        Arrays.setAll(sorted, part -> new double[counts[part]]);
        for (Course course : courses) {
            for (int row : course.complete()) {
                int part = part(course.calledUs(row));
                sorted[part][--counts[part]] = course.bandwidth(row);
            }
        }
        for (double[] ofPart : sorted) {
            Arrays.sort(ofPart);
        }
        return sorted;
    }

    private int part(long us) {
        return (int) Math.min(PARTS - 1, (double) (us - startUs) / Math.max(1, endUs - startUs) * PARTS);
    }

    Table changes() {
        return new Fields<Loss>()
                .add(
                        text("path", "Communicator, or rank to rank; all: everything that is alike."),
                        l -> l.all() ? "all" : path(traffic, l.course()))
                .add(text("operation", "What is transferred."), l -> l.course().operation)
                .add(real("bytes", Unit.BYTES, Unit.BYTES, "Size of a message, its three leading bits."), l ->
                        (double) l.course().bytes)
                .add(seconds("from s", "When bandwidth falls, since the first record."), l -> l.fromUs() / 1e6)
                .add(seconds("to s", "When it is lower for the last time."), l -> l.toUs() / 1e6)
                .add(
                        percent("lost %", "Against what is alike at that time; of all, against the rest of the run."),
                        l -> 100 * l.share())
                .table(
                        "link_changes",
                        "When bandwidth was lower for a part of the run",
                        comparison.losses().stream().filter(l -> !l.isWhole()).toList());
    }

    static String path(Traffic traffic, Course course) {
        if (!course.isMessage()) {
            return LinkReport.named(course.communicator);
        }
        int[] speakers = course.communicator.speakers;
        return "rank " + number(traffic, speakers[course.from]) + " to " + number(traffic, speakers[course.to]);
    }

    private static String number(Traffic traffic, int speaker) {
        return speaker < 0 ? "?" : Integer.toString(traffic.speaker(speaker).rank());
    }

    Table ranks(List<Late> late) {
        return new Fields<Late>()
                .add(id("rank", "Its number in the largest communicator that names it."), l ->
                        (long) traffic.speaker(l.speaker()).rank())
                .add(text("node", "Its host."), l -> traffic.speaker(l.speaker()).host)
                .add(id("process", "Its process."), l -> traffic.speaker(l.speaker()).process)
                .add(
                        millis("late ms", "By how much it came behind the one before it, over all collectives."),
                        Late::lateNs)
                .add(
                        percent("late %", "The same as a share of the time of collectives, where it is most."),
                        l -> 100 * l.share())
                .add(
                        text("late", "yes: beyond chance, and not because it waited for another."),
                        l -> l.isSure() ? "yes" : "no")
                .table("link_ranks", "Ranks that others wait for", late);
    }

    Table losses() {
        Map<Communicator, long[]> counts = new LinkedHashMap<>();
        for (Course course : traffic.courses()) {
            long[] of = counts.computeIfAbsent(course.communicator, c -> new long[2]);
            of[0] += course.size();
            of[1] += course.size() - course.complete().length;
        }
        return new Fields<Map.Entry<Communicator, long[]>>()
                .add(text("communicator", "Its name, or its hash."), e -> LinkReport.named(e.getKey()))
                .add(count("ranks", "Its members."), e -> (long) e.getKey().ranks)
                .add(
                        count("silent ranks", "Members without a record."),
                        e -> Arrays.stream(e.getKey().speakers)
                                .filter(s -> s < 0)
                                .count())
                .add(count("operations", "Operations that any member recorded."), e -> e.getValue()[0])
                .add(count("incomplete", "Operations that not all members recorded."), e -> e.getValue()[1])
                .add(
                        count("dropped", "Records that the Inspector says it has dropped."),
                        e -> Arrays.stream(e.getKey().dropped).sum())
                .table("link_losses", "What was not recorded", List.copyOf(counts.entrySet()));
    }

    /** Bandwidth of the slowest courses over the run, as a share of their own best. */
    Optional<Chart> picture() {
        List<Compared> drawn = comparison.compared().stream()
                .sorted((a, b) -> Double.compare(b.lost(), a.lost()))
                .limit(MOST_DRAWN)
                .toList();
        if (drawn.size() < 2) {
            return Optional.empty();
        }
        double[][] values = new double[drawn.size()][PARTS];
        for (int i = 0; i < values.length; i++) {
            double[][] sorted = byPart(List.of(drawn.get(i).course()));
            for (int part = 0; part < PARTS; part++) {
                double own = Quantiles.medianOf(sorted[part], Double.NaN);
                values[i][part] = 100 * (1 - own / drawn.get(i).likeBandwidth());
            }
        }
        return Optional.of(new Chart.Heat(
                "Bandwidth lost over the run",
                "Share of the bandwidth of like links that each loses, by part of the run; the slowest links.",
                "%",
                drawn.stream()
                        .map(one -> path(traffic, one.course()) + " " + one.course().operation)
                        .toList(),
                IntStream.range(0, PARTS)
                        .mapToObj(part -> String.format(Locale.ROOT, "%.3g s", (endUs - startUs) / 1e6 * part / PARTS))
                        .toList(),
                values,
                Chart.Scale.LOSS));
    }
}
