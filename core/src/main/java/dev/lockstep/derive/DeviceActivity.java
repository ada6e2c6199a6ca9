// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Everything the devices did, in order of start: what each activity is for, where it ran, and when anything ran at all. */
public final class DeviceActivity {
    /**
     * The activity, judged by rules.
     *
     * @param rules tell what each activity is for
     * @param linkedBy when given, only activities whose launch is known by this rule count; null for all
     */
    public record Key(KernelRules rules, @Nullable LaunchRule linkedBy) implements Derived<DeviceActivity> {
        @Override
        public DeviceActivity derive(Trace trace, DerivedCache cache) {
            LaunchLinks links = linkedBy == null ? null : cache.get(new LaunchLinks.Key(linkedBy));
            return new DeviceActivity(trace, rules, slice -> links == null || links.launchOf(slice) >= 0);
        }
    }

    /**
     * A queue of a device.
     *
     * @param device number, or text where the file has no number
     * @param stream number, or text where the file has no number
     */
    public record Stream(String device, String stream) {
        private static final Comparator<String> NUMBERS_FIRST =
                Comparator.comparing(Stream::numeric).thenComparing(Comparator.naturalOrder());

        static final Comparator<Stream> ORDER =
                Comparator.comparing(Stream::device, NUMBERS_FIRST).thenComparing(Stream::stream, NUMBERS_FIRST);

        private static String numeric(String text) {
            return text.matches("\\d{1,18}") ? String.format("%018d", Long.parseLong(text)) : "~" + text;
        }
    }

    private final Slices slices;
    private final KernelClass[] classes;
    private final int[] rows;
    private final int[] streamOf;
    private final List<Stream> streams;

    private DeviceActivity(Trace trace, KernelRules rules, IntPredicate counts) {
        slices = trace.slices();
        classes = rules.classify(trace);
        IntList found = new IntList(1024);
        for (int i = 0; i < classes.length; i++) {
            if (slices.kind(i).isDeviceActivity() && counts.test(i)) {
                found.add(i);
            }
        }
        rows = found.toArray();
        streamOf = new int[rows.length];
        streams = placeOnStreams(trace);
    }

    /** Number of activities. */
    public int size() {
        return rows.length;
    }

    /** The slice of the {@code i}-th activity by start. */
    public int slice(int i) {
        return rows[i];
    }

    /** From the first start to the last end in ns, 0 without activity. */
    public long span() {
        return busy().span();
    }

    /** What the device slice is for. */
    public KernelClass classOf(int slice) {
        return classes[slice];
    }

    /** The streams that had activity, in order of device and stream. */
    public List<Stream> streams() {
        return streams;
    }

    /** Index into {@link #streams} of the {@code i}-th activity. */
    public int streamOf(int i) {
        return streamOf[i];
    }

    /** When anything of these classes ran; of all classes when none is named. */
    public IntervalSet busy(KernelClass... wanted) {
        return busy(i -> matches(classes[rows[i]], wanted));
    }

    /** When any of the chosen activities ran. */
    public IntervalSet busy(IntPredicate chosen) {
        IntervalSet.Builder builder = new IntervalSet.Builder();
        for (int i = 0; i < rows.length; i++) {
            if (chosen.test(i)) {
                builder.add(slices.ts(rows[i]), slices.end(rows[i]));
            }
        }
        return builder.build();
    }

    /** When each class ran, among the chosen activities. */
    public Map<KernelClass, IntervalSet> busyByClass(IntPredicate chosen) {
        Map<KernelClass, IntervalSet> sets = new EnumMap<>(KernelClass.class);
        for (KernelClass kernelClass : KernelClass.values()) {
            sets.put(kernelClass, busy(i -> classes[rows[i]] == kernelClass && chosen.test(i)));
        }
        return sets;
    }

    private static boolean matches(KernelClass kernelClass, KernelClass[] wanted) {
        for (KernelClass w : wanted) {
            if (w == kernelClass) {
                return true;
            }
        }
        return wanted.length == 0;
    }

    private List<Stream> placeOnStreams(Trace trace) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        Map<Stream, Integer> numbers = new TreeMap<>(Stream.ORDER);
        List<Stream> byAppearance = new ArrayList<>();
        long lastDevice = -2;
        long lastStream = -2;
        int lastTrack = -1;
        int last = -1;
        for (int i = 0; i < rows.length; i++) {
            int slice = rows[i];
            int detail = details == null ? -1 : details.of(slice);
            long device = detail < 0 || details == null ? -1 : details.device(detail);
            long stream = detail < 0 || details == null ? -1 : details.stream(detail);
            int track = slices.track(slice);
            if (last < 0 || device != lastDevice || stream != lastStream || track != lastTrack) {
                Stream place = new Stream(
                        device >= 0
                                ? Long.toString(device)
                                : trace.tracks().get(track).process(),
                        stream >= 0
                                ? Long.toString(stream)
                                : trace.tracks().get(track).thread());
                Integer number = numbers.get(place);
                if (number == null) {
                    number = byAppearance.size();
                    numbers.put(place, number);
                    byAppearance.add(place);
                }
                last = number;
                lastDevice = device;
                lastStream = stream;
                lastTrack = track;
            }
            streamOf[i] = last;
        }
        List<Stream> sorted = new ArrayList<>(numbers.keySet());
        int[] rank = new int[byAppearance.size()];
        for (int i = 0; i < sorted.size(); i++) {
            rank[numbers.getOrDefault(sorted.get(i), 0)] = i;
        }
        for (int i = 0; i < streamOf.length; i++) {
            streamOf[i] = rank[streamOf[i]];
        }
        return List.copyOf(sorted);
    }
}
