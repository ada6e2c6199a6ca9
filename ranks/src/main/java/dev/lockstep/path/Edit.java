// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.path;

import dev.lockstep.codec.Glob;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A change that is tried on a graph: durations of some edges times a factor or as good kernels take, kernels that become one,
 * launches that cost nothing, or a rank that takes as long as the median rank.
 */
final class Edit {
    private static final String KNOWN =
            "known: kernel:PATTERN=xF, op:PATTERN=xF, class:communication|copy|computation=xF, host=xF, launch=0,"
                    + " fuse:PATTERN,PATTERN, range:PATTERN=xF, call:PATTERN=xF, sync:PATTERN=0, action:ID, rank:R=median|xF, rank:R:host=median|xF; F is a decimal number such as 0.5,"
                    + " of computation also roofline; across ranks also class:late_peer=0 and"
                    + " collective:KIND[:GROUP[:BYTES]]=xF|bandwidth:300GB/s|54.3us";
    private static final Pattern FACTOR = Pattern.compile("x?(\\d{1,6}(?:\\.\\d{1,6})?)");
    private static final Pattern FUSION = Pattern.compile("fuse:([^=]*)(?:=(.*))?");
    private static final long SCALE = 1_000_000;

    /** What activities of a device take. */
    private static final Set<EdgeKind> RUNS = Set.of(EdgeKind.RUN, EdgeKind.MEMBER);

    private static final Set<EdgeKind> THREADS = Set.of(EdgeKind.THREAD);

    /** Instead of a factor: what good kernels take. */
    private static final long AT_ROOFLINE = -1;

    /** Instead of a factor: what the median rank takes. */
    private static final long AS_MEDIAN = -2;

    private enum What {
        KERNEL,
        OPERATOR,
        CLASS,
        HOST,
        LAUNCH,
        FUSION,
        RANK,
        RANK_HOST,
        LATE_PEER,
        COLLECTIVE,
        ACTION,
        RANGE,
        CALL,
        WAIT,
        CHANGES,
        PROFILER
    }

    private final What what;
    private final String subject;
    private final long millionths;
    private final @Nullable TransferEdit transfer;
    private final @Nullable TraceEdit changes;
    private final @Nullable ProfilerEdit profiler;

    private Edit(What what, String subject, long millionths) {
        this(what, subject, millionths, null, null, null);
    }

    private Edit(
            What what,
            String subject,
            long millionths,
            @Nullable TransferEdit transfer,
            @Nullable TraceEdit changes,
            @Nullable ProfilerEdit profiler) {
        this.what = what;
        this.subject = subject;
        this.millionths = millionths;
        this.transfer = transfer;
        this.changes = changes;
        this.profiler = profiler;
    }

    /** Slices of one rank are changed. */
    static Edit changes(TraceEdit changes) {
        return new Edit(What.CHANGES, "", 0, null, changes, null);
    }

    /** Each event of the host takes so many ns less. */
    static Edit withoutProfiler(ProfilerEdit profiler, long each) {
        return new Edit(What.PROFILER, "", each, null, null, profiler);
    }

    /**
     * This edit as one that can be applied: what names slices of a trace becomes changes of these.
     *
     * @param trace null where the graph is not that of one trace
     * @throws UserException when it names slices and there is no trace, or an action that nothing calls for
     */
    Edit in(@Nullable TraceEdits trace) {
        boolean ofSlices = switch (what) {
            case ACTION, RANGE, CALL, WAIT -> true;
            default -> false;
        };
        if (!ofSlices) {
            return this;
        }
        if (trace == null) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID,
                    "action, range, call and sync can only be tried in the report of one rank",
                    "Name the trace of one rank.");
        }
        double part = (double) millionths / SCALE;
        return switch (what) {
            case ACTION -> trace.action(subject);
            case RANGE -> trace.ranges(subject, part);
            case CALL -> trace.calls(subject, part);
            default -> trace.withoutWaits(subject);
        };
    }

    /** Members of collectives do not wait for those that come late. */
    static Edit withoutLatePeers() {
        return new Edit(What.LATE_PEER, "", 0);
    }

    /** All activities that operators of this name launched take no time. */
    static Edit withoutOperator(String name) {
        return new Edit(What.OPERATOR, name, 0);
    }

    /** All computations that operators of this name launched take what good kernels take. */
    static Edit roofline(String operator) {
        return new Edit(What.OPERATOR, operator, AT_ROOFLINE);
    }

    /** All activities of a class take no time; of the host, all that it does. */
    static Edit without(PathClass of) {
        return of == PathClass.HOST ? host(0) : new Edit(What.CLASS, of.spelling(), 0);
    }

    /** The host takes this part of its time, in millionths. */
    static Edit host(long millionths) {
        return new Edit(What.HOST, "", millionths);
    }

    /** Each of these ranks takes what the median rank of its role takes, on its device and its host. */
    static List<Edit> medianRanks(List<Integer> ranks) {
        List<Edit> edits = new ArrayList<>();
        for (int rank : ranks) {
            String number = Integer.toString(rank);
            edits.add(new Edit(What.RANK, number, AS_MEDIAN));
            edits.add(new Edit(What.RANK_HOST, number, AS_MEDIAN));
        }
        return edits;
    }

    /** Launches cost nothing. */
    static Edit freeLaunches() {
        return new Edit(What.LAUNCH, "", 0);
    }

    /**
     * The edits of one scenario, joined by semicolons.
     *
     * @throws UserException when one cannot be understood
     */
    static List<Edit> parse(String scenario) {
        List<Edit> edits = new ArrayList<>();
        for (String text : scenario.split(";", -1)) {
            edits.add(one(text.strip(), scenario));
        }
        return edits;
    }

    private static Edit one(String text, String scenario) {
        var fusion = FUSION.matcher(text);
        if (fusion.matches()) {
            return fusion(fusion.group(1), fusion.group(2), scenario);
        }
        if (text.startsWith("action:")) {
            return new Edit(What.ACTION, given(text.substring("action:".length()), scenario), 0);
        }
        int equals = text.lastIndexOf('=');
        if (equals < 1) {
            throw wrong(scenario, "'" + text + "' has no =");
        }
        String left = text.substring(0, equals);
        String right = text.substring(equals + 1);
        int colon = left.indexOf(':');
        String word = colon < 0 ? left : left.substring(0, colon);
        String rest = colon < 0 ? "" : left.substring(colon + 1);
        return switch (word) {
            case "kernel" -> new Edit(What.KERNEL, given(rest, scenario), factorOrRoofline(right, scenario));
            case "op" -> new Edit(What.OPERATOR, given(rest, scenario), factorOrRoofline(right, scenario));
            case "class" ->
                rest.equals("late_peer")
                        ? latePeers(factor(right, scenario), scenario)
                        : new Edit(
                                What.CLASS,
                                pathClass(rest, scenario),
                                rest.equals("computation")
                                        ? factorOrRoofline(right, scenario)
                                        : factor(right, scenario));
            case "collective" ->
                new Edit(
                        What.COLLECTIVE,
                        given(rest, scenario),
                        0,
                        TransferEdit.parse(rest, right, why -> wrong(scenario, why)),
                        null,
                        null);
            case "host" -> new Edit(What.HOST, none(rest, scenario), factor(right, scenario));
            case "launch" -> {
                if (factor(right, scenario) != 0 || !rest.isEmpty()) {
                    throw wrong(scenario, "launches can only be 0");
                }
                yield freeLaunches();
            }
            case "rank" -> rank(rest, right, scenario);
            case "range" -> new Edit(What.RANGE, given(rest, scenario), factor(right, scenario));
            case "call" -> new Edit(What.CALL, given(rest, scenario), factor(right, scenario));
            case "sync" -> {
                if (factor(right, scenario) != 0) {
                    throw wrong(scenario, "waits can only be 0");
                }
                yield new Edit(What.WAIT, given(rest, scenario), 0);
            }
            default -> throw wrong(scenario, "'" + word + "' is nothing that can be changed");
        };
    }

    private static Edit fusion(String patterns, @Nullable String value, String scenario) {
        String[] parts = patterns.split(",", -1);
        if (parts.length < 2 || Arrays.asList(parts).contains("")) {
            throw wrong(
                    scenario,
                    "it takes two kernels or more to fuse, with a comma between; ? stands for commas and = in names");
        }
        return new Edit(What.FUSION, patterns, value == null ? AT_ROOFLINE : factorOrRoofline(value, scenario));
    }

    private static Edit latePeers(long factor, String scenario) {
        if (factor != 0) {
            throw wrong(scenario, "waiting for late members can only be 0");
        }
        return withoutLatePeers();
    }

    private static Edit rank(String rest, String right, String scenario) {
        boolean host = rest.endsWith(":host");
        String number = host ? rest.substring(0, rest.length() - ":host".length()) : rest;
        if (!number.matches("\\d{1,6}")) {
            throw wrong(scenario, "'" + number + "' is no number of a rank");
        }
        long factor = right.equals("median") ? AS_MEDIAN : factor(right, scenario);
        return new Edit(host ? What.RANK_HOST : What.RANK, number, factor);
    }

    private static String given(String pattern, String scenario) {
        if (pattern.isEmpty()) {
            throw wrong(scenario, "a pattern of names is missing");
        }
        return pattern;
    }

    private static String none(String rest, String scenario) {
        if (!rest.isEmpty()) {
            throw wrong(scenario, "the host can only be changed as a whole");
        }
        return rest;
    }

    private static String pathClass(String name, String scenario) {
        if (!name.equals("communication") && !name.equals("copy") && !name.equals("computation")) {
            throw wrong(scenario, "'" + name + "' is no class of activities");
        }
        return name;
    }

    private static long factor(String text, String scenario) {
        var found = FACTOR.matcher(text);
        if (!found.matches()) {
            throw wrong(scenario, "'" + text + "' is no factor");
        }
        return new BigDecimal(found.group(1)).scaleByPowerOfTen(6).longValueExact();
    }

    private static long factorOrRoofline(String text, String scenario) {
        return text.equals("roofline") ? AT_ROOFLINE : factor(text, scenario);
    }

    private static UserException wrong(String scenario, String what) {
        return new UserException(ErrorCode.OPTION_INVALID, "cannot try '" + scenario + "': " + what, KNOWN);
    }

    /** Changes the weights and residuals that a replay will take. */
    void apply(DependencyGraph graph, long[] weights, long[] residuals) {
        switch (what) {
            case KERNEL -> scaleRuns(graph, weights, named(graph, graph::label, subject));
            case OPERATOR -> scaleRuns(graph, weights, named(graph, graph::operator, subject));
            case FUSION -> {
                List<IntPredicate> names = new ArrayList<>();
                for (String part : subject.split(",")) {
                    names.add(named(graph, graph::label, part));
                }
                Fusion.apply(graph, weights, residuals, names, millionths);
            }
            case CLASS -> {
                PathClass wanted = PathClass.valueOf(subject.toUpperCase(Locale.ROOT));
                scaleRuns(graph, weights, v -> graph.pathClass(v) == wanted);
            }
            case HOST -> scale(graph, weights, THREADS, v -> true);
            case LAUNCH -> freeLaunches(graph, weights, residuals);
            case RANK -> rank(graph, weights, Integer.parseInt(subject));
            case RANK_HOST -> host(graph, weights, residuals, Integer.parseInt(subject));
            case LATE_PEER -> TransferEdit.withoutWaiting(graph, weights);
            case COLLECTIVE -> Objects.requireNonNull(transfer).apply(graph, weights);
            case CHANGES -> Objects.requireNonNull(changes).apply(graph, weights, residuals);
            case PROFILER -> Objects.requireNonNull(profiler).apply(graph, weights, millionths);
            case ACTION, RANGE, CALL, WAIT -> throw new IllegalStateException("slices are not known");
        }
    }

    private void rank(DependencyGraph graph, long[] weights, int rank) {
        if (millionths == AS_MEDIAN) {
            MedianRank.ofDevice(graph, weights, rank);
        } else {
            scale(
                    graph,
                    weights,
                    Set.of(EdgeKind.RUN),
                    v -> graph.pathClass(v) == PathClass.COMPUTATION && isOf(graph, v, rank));
        }
    }

    private void host(DependencyGraph graph, long[] weights, long[] residuals, int rank) {
        if (millionths == AS_MEDIAN) {
            MedianRank.ofHost(graph, weights, residuals, rank);
        } else {
            scale(graph, weights, THREADS, v -> isOf(graph, v, rank));
        }
    }

    private static boolean isOf(DependencyGraph graph, int vertex, int rank) {
        return graph.track(vertex).rank() == rank;
    }

    private static IntPredicate named(DependencyGraph graph, IntUnaryOperator names, String pattern) {
        Glob glob = new Glob(pattern);
        byte[] known = new byte[graph.names.size()];
        return v -> {
            int name = names.applyAsInt(v);
            if (name < 0) {
                return false;
            }
            if (known[name] == 0) {
                known[name] = (byte) (glob.matches(graph.names.get(name)) ? 1 : 2);
            }
            return known[name] == 1;
        };
    }

    private void scaleRuns(DependencyGraph graph, long[] weights, IntPredicate wanted) {
        if (millionths == AT_ROOFLINE) {
            Rooflines.apply(graph, weights, wanted);
            return;
        }
        scale(graph, weights, RUNS, wanted);
    }

    /**
     * @param kinds of edges
     * @param wanted vertices, by what ends there; its time does not count
     */
    private void scale(DependencyGraph graph, long[] weights, Set<EdgeKind> kinds, IntPredicate wanted) {
        boolean[] scaled = new boolean[EdgeKind.values().length];
        kinds.forEach(kind -> scaled[kind.ordinal()] = true);
        byte[] known = new byte[graph.pieces()];
        for (int v = 0; v < graph.size(); v++) {
            int piece = graph.piece(v);
            if (known[piece] == 0) {
                known[piece] = (byte) (wanted.test(v) ? 1 : 2);
            }
            if (known[piece] != 1) {
                continue;
            }
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                if (scaled[graph.kind[e]] && weights[e] != TransferEdit.LONG_AGO) {
                    weights[e] = times(weights[e], millionths);
                }
            }
        }
    }

    static long times(long ns, long millionths) {
        return ns / SCALE * millionths + ns % SCALE * millionths / SCALE;
    }

    /** What is longer than launches take is not won: something else held it up. */
    private static void freeLaunches(DependencyGraph graph, long[] weights, long[] residuals) {
        for (int v = 0; v < graph.size(); v++) {
            for (int e = graph.firstEdge[v]; e < graph.firstEdge[v + 1]; e++) {
                if (graph.kind[e] == EdgeKind.LAUNCH.ordinal()) {
                    if (graph.binding(v) == e) {
                        EdgeCounts known = graph.counts(EdgeKind.LAUNCH);
                        long most = Math.max(0, known.longest - weights[e]);
                        residuals[v] = Math.max(0, residuals[v] - most);
                    }
                    weights[e] = Math.min(0, weights[e]);
                }
            }
        }
    }
}
