// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.derive.Derived;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.GraphDetails;
import dev.lockstep.model.RangeCounters;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntList;
import dev.lockstep.table.LongIntMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** Which calls launched work on devices, how much of that work is in the trace, and what is odd about the links. */
public final class LaunchedWork {
    /** That of a trace. */
    public record Key() implements Derived<LaunchedWork> {
        @Override
        public LaunchedWork derive(Trace trace, DerivedCache cache) {
            return new LaunchedWork(
                    trace,
                    cache.get(new LaunchLinks.Key(AnalysisRules.standard().links())));
        }
    }

    /** Names of calls that start a kernel or a graph, of CUDA, HIP, Level Zero, SYCL, OpenCL and CANN, in lower case. */
    private static final Pattern KERNEL =
            Pattern.compile("launch(?:cooperative)?kernel|kernellaunch|graphlaunch|enqueuendrange|node@launch");

    private static final Pattern COPY = Pattern.compile("(?:mem|usm)(?:ory)?(?:cpy|copy)");
    private static final Pattern FILL = Pattern.compile("(?:mem|usm)(?:ory)?(?:set|fill)");

    /** Calls of such names that start no work of their own. */
    private static final Pattern NO_LAUNCH =
            Pattern.compile("graph(?!launch)|hostfunc|multidevice|symboladdress|attribute|params|pool");

    private static final String BEGIN_CAPTURE = "streambegincapture";
    private static final String END_CAPTURE = "streamendcapture";

    private final Trace trace;
    private final Slices slices;
    private final LaunchLinks links;
    private final Shape[] shapes;
    private final int[] worked;
    private long unlinked;
    private long linked;
    private long early;
    private long earliest;
    private long ambiguous;
    private long launches;
    private long barren;
    private long partial;
    private long partialLaunches;
    private double lostWork;
    private double allWork;

    /** Where no more is lost, it changes nothing that is said; nor does a single launch beside others that worked. */
    private static final double MUCH = 0.02;

    /** What the name of a call says. */
    private enum Shape {
        KERNEL,
        COPY,
        FILL,
        BEGIN_CAPTURE,
        END_CAPTURE,
        OTHER;

        boolean isLaunch() {
            return this == KERNEL || this == COPY || this == FILL;
        }
    }

    private LaunchedWork(Trace trace, LaunchLinks links) {
        this.trace = trace;
        this.links = links;
        slices = trace.slices();
        shapes = new Shape[trace.strings().size()];
        worked = new int[slices.size()];
        boolean numbered = activities();
        if (numbered || linked + unlinked == 0 && trace.view(RangeCounters.KEY) == null) {
            countCalls();
            countGraphs();
        }
        countAmbiguous();
    }

    /** Counts activities by their launch; says whether any bears a number that a call could share. */
    private boolean activities() {
        boolean numbered = false;
        for (int i = 0; i < slices.size(); i++) {
            if (!slices.kind(i).isDeviceActivity()) {
                continue;
            }
            numbered |= slices.correlation(i) >= 0;
            int call = links.launchOf(i);
            if (call < 0) {
                unlinked++;
                continue;
            }
            linked++;
            worked[call]++;
            long before = slices.ts(call) - slices.ts(i);
            early += before > 0 ? 1 : 0;
            earliest = Math.max(earliest, before);
        }
        return numbered;
    }

    /**
     * Counts launches, of which none lies within another, outside of capture. Copies and fills of no bytes run nowhere, and how many
     * bytes a call moves is seldom recorded: a copy counts as lost where others of the same name have activities, or nothing has; a
     * fill where much of the rest is lost.
     */
    private void countCalls() {
        boolean[] captured = captured();
        int[] calls = outermost();
        boolean nothing = linked + unlinked == 0;
        boolean[] works = new boolean[shapes.length];
        long[] without = new long[Shape.values().length];
        long[] with = new long[Shape.values().length];
        for (int call : calls) {
            if (worked[call] > 0) {
                works[slices.name(call)] = true;
                with[shape(call).ordinal()]++;
                allWork += worked[call];
            }
        }
        for (int call : calls) {
            Shape shape = shape(call);
            boolean counts = worked[call] == 0 && shape.isLaunch() && !captured[call] && slices.correlation(call) >= 0;
            if (counts && (shape != Shape.COPY || nothing || works[slices.name(call)])) {
                without[shape.ordinal()]++;
            }
        }
        barren = without[Shape.KERNEL.ordinal()] + without[Shape.COPY.ordinal()];
        launches = barren + with[Shape.KERNEL.ordinal()] + with[Shape.COPY.ordinal()] + with[Shape.OTHER.ordinal()];
        if (nothing || barren > MUCH * launches) {
            barren += without[Shape.FILL.ordinal()];
            launches += without[Shape.FILL.ordinal()];
        }
        launches += with[Shape.FILL.ordinal()];
        lostWork = barren;
        allWork += barren;
    }

    /** Launches and whatever else has activities, of which none lies within another; each has the activities of those within. */
    private int[] outermost() {
        int[] outer = new int[trace.tracks().size()];
        Arrays.fill(outer, -1);
        IntList found = new IntList(256);
        for (int i = 0; i < slices.size(); i++) {
            if (!slices.kind(i).isLaunchCall() || worked[i] == 0 && !shape(i).isLaunch()) {
                continue;
            }
            int track = slices.track(i);
            if (outer[track] >= 0 && slices.end(outer[track]) >= slices.end(i)) {
                worked[outer[track]] += worked[i];
                worked[i] = 0;
                continue;
            }
            outer[track] = i;
            found.add(i);
        }
        return found.toArray();
    }

    /** By slice: whether it lies between the begin and the end of a capture, in whatever thread: what is launched then does not run. */
    private boolean[] captured() {
        boolean[] captured = new boolean[slices.size()];
        int begins = 0;
        int ends = 0;
        for (int i = 0; i < slices.size(); i++) {
            ends += slices.kind(i).isLaunchCall() && shape(i) == Shape.END_CAPTURE ? 1 : 0;
            begins += slices.kind(i).isLaunchCall() && shape(i) == Shape.BEGIN_CAPTURE ? 1 : 0;
        }
        int open = Math.max(0, ends - begins); // begun before the trace
        for (int i = 0; i < captured.length; i++) {
            if (slices.kind(i).isLaunchCall()) {
                Shape shape = shape(i);
                open += shape == Shape.BEGIN_CAPTURE ? 1 : 0;
                captured[i] = open > 0;
                open -= shape == Shape.END_CAPTURE ? Math.min(1, open) : 0;
            }
        }
        return captured;
    }

    /** Launches of a graph that have fewer nodes than others of the same graph. */
    private void countGraphs() {
        GraphDetails details = trace.view(GraphDetails.KEY);
        if (details == null) {
            return;
        }
        Map<Long, Map<Integer, Integer>> nodes = new HashMap<>();
        for (int row = 0; row < details.size(); row++) {
            int slice = details.slice(row);
            if (details.graph(row) >= 0 && slices.kind(slice).isDeviceActivity() && links.launchOf(slice) >= 0) {
                nodes.computeIfAbsent(details.graph(row), graph -> new HashMap<>())
                        .merge(links.launchOf(slice), 1, Integer::sum);
            }
        }
        nodes.values().forEach(byLaunch -> {
            int most = byLaunch.values().stream().mapToInt(n -> n).max().orElse(0);
            for (int n : byLaunch.values()) {
                if (n < most) {
                    partialLaunches++;
                    partial += most - n;
                }
            }
        });
        lostWork += partial;
        allWork += partial;
    }

    /** Activities whose number more than one process's calls bear, where no name of a process says whose the activity is. */
    private void countAmbiguous() {
        if (links.ambiguous() == 0) {
            return;
        }
        LongIntMap processOf = new LongIntMap(1024);
        Map<String, Integer> processes = new HashMap<>();
        Set<Long> ofSeveral = new HashSet<>();
        for (int i = 0; i < slices.size(); i++) {
            long number = slices.correlation(i);
            if (!slices.kind(i).isLaunchCall() || number <= 0) {
                continue;
            }
            Track track = trace.tracks().get(slices.track(i));
            int process = processes.computeIfAbsent(track.process(), p -> processes.size());
            int before = processOf.put(number, process);
            if (before >= 0 && before != process) {
                ofSeveral.add(number);
            }
        }
        for (int i = 0; i < slices.size(); i++) {
            ambiguous += slices.kind(i).isDeviceActivity() && ofSeveral.contains(slices.correlation(i)) ? 1 : 0;
        }
    }

    private Shape shape(int slice) {
        int name = slices.name(slice);
        Shape known = shapes[name];
        if (known == null) {
            known = shapeOf(trace.strings().get(name).toLowerCase(Locale.ROOT));
            shapes[name] = known;
        }
        return Objects.requireNonNull(known);
    }

    private static Shape shapeOf(String name) {
        if (name.contains(BEGIN_CAPTURE)) {
            return Shape.BEGIN_CAPTURE;
        }
        if (name.contains(END_CAPTURE)) {
            return Shape.END_CAPTURE;
        }
        if (NO_LAUNCH.matcher(name).find()) {
            return Shape.OTHER;
        }
        if (KERNEL.matcher(name).find()) {
            return Shape.KERNEL;
        }
        return COPY.matcher(name).find() ? Shape.COPY : FILL.matcher(name).find() ? Shape.FILL : Shape.OTHER;
    }

    /** Activities whose launch is not known. */
    public long unlinked() {
        return unlinked;
    }

    /** Activities whose launch is known. */
    public long linked() {
        return linked;
    }

    /** Activities that begin before the call that launched them. */
    public long early() {
        return early;
    }

    /** The most by which one begins before its launch, in ns. */
    public long earliest() {
        return earliest;
    }

    /** Activities of which several processes' calls could be the launch. */
    public long ambiguous() {
        return ambiguous;
    }

    /** Calls that launched work, as far as they bear a number by which it would be known; in a capture, those that have work. */
    public long launches() {
        return launches;
    }

    /** Those of them without any activity. */
    public long barren() {
        return barren;
    }

    /** Launches of graphs that have fewer activities than others of the same graph. */
    public long partialLaunches() {
        return partialLaunches;
    }

    /** The activities that these lack. */
    public long partial() {
        return partial;
    }

    /** Whether so much of the launched work is lost that what rests on all of it cannot be said. */
    public boolean isMuchLost() {
        return lostShare() > MUCH && (barren + partialLaunches > 1 || linked + unlinked == 0);
    }

    /** The share of the launched work that is not in the trace, as far as can be told, 0 to 1. */
    public double lostShare() {
        return allWork == 0 ? 0 : lostWork / allWork;
    }
}
