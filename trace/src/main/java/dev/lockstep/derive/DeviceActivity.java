// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.table.IntList;
import dev.lockstep.table.IntTuples;
import dev.lockstep.table.LongIntMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
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
            return new DeviceActivity(
                    trace,
                    cache.get(new KernelRules.Classes(rules)),
                    slice -> links == null || links.launchOf(slice) >= 0);
        }
    }

    /**
     * A queue of a device.
     *
     * @param device number, or text where the file has no number
     * @param stream number, or text where the file has no number
     */
    public record Stream(String device, String stream) {
        private static final int MOST_DIGITS = 18;

        private static final Comparator<String> NUMBERS_FIRST =
                Comparator.comparingLong(Stream::number).thenComparing(Comparator.naturalOrder());

        static final Comparator<Stream> ORDER =
                Comparator.comparing(Stream::device, NUMBERS_FIRST).thenComparing(Stream::stream, NUMBERS_FIRST);

        /** The number that a text of digits is; more than any for other texts. */
        private static long number(String text) {
            long number = 0;
            for (int i = 0; i < text.length(); i++) {
                char c = text.charAt(i);
                if (c < '0' || c > '9' || i == MOST_DIGITS) {
                    return Long.MAX_VALUE;
                }
                number = number * 10 + (c - '0');
            }
            return text.isEmpty() ? Long.MAX_VALUE : number;
        }
    }

    private final Slices slices;
    private final KernelClass[] classes;
    private final int[] rows;
    private final int[] streamOf;
    private final List<Stream> streams;

    private DeviceActivity(Trace trace, KernelClass[] classes, IntPredicate counts) {
        slices = trace.slices();
        this.classes = classes;
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

    /** The place of a slice by start among the activities, -1 where it is none. */
    public int place(int slice) {
        return Math.max(-1, Arrays.binarySearch(rows, slice));
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

    /** The devices that had activity, in order. */
    public List<String> devices() {
        return streams.stream().map(Stream::device).distinct().toList();
    }

    /** For each stream the index into {@link #devices} of its device. */
    public int[] deviceOfStreams() {
        int[] places = new int[streams.size()];
        for (int i = 1; i < places.length; i++) {
            boolean same = streams.get(i).device().equals(streams.get(i - 1).device());
            places[i] = same ? places[i - 1] : places[i - 1] + 1;
        }
        return places;
    }

    /** Index into {@link #streams} of the {@code i}-th activity. */
    public int streamOf(int i) {
        return streamOf[i];
    }

    /** When anything ran. */
    public IntervalSet busy() {
        IntervalSet.Builder builder = new IntervalSet.Builder();
        for (int row : rows) {
            builder.add(slices.ts(row), slices.end(row));
        }
        return builder.build();
    }

    /**
     * When each class ran, by group.
     *
     * @param groups number of groups
     * @param groupOf the group of the {@code i}-th activity, -1 for none
     */
    public List<Map<KernelClass, IntervalSet>> busyByClass(int groups, IntUnaryOperator groupOf) {
        int classCount = KernelClass.values().length;
        IntervalSet.Builder[] builders = new IntervalSet.Builder[groups * classCount];
        for (int i = 0; i < rows.length; i++) {
            int group = groupOf.applyAsInt(i);
            if (group >= 0) {
                int place = group * classCount + classes[rows[i]].ordinal();
                if (builders[place] == null) {
                    builders[place] = new IntervalSet.Builder();
                }
                builders[place].add(slices.ts(rows[i]), slices.end(rows[i]));
            }
        }
        List<Map<KernelClass, IntervalSet>> sets = new ArrayList<>(groups);
        for (int group = 0; group < groups; group++) {
            Map<KernelClass, IntervalSet> byClass = new EnumMap<>(KernelClass.class);
            for (KernelClass kernelClass : KernelClass.values()) {
                IntervalSet.Builder builder = builders[group * classCount + kernelClass.ordinal()];
                byClass.put(kernelClass, builder == null ? IntervalSet.EMPTY : builder.build());
            }
            sets.add(byClass);
        }
        return sets;
    }

    private List<Stream> placeOnStreams(Trace trace) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        Map<Stream, Integer> numbers = new HashMap<>();
        LongIntMap values = new LongIntMap(64);
        IntTuples places = new IntTuples();
        LongIntMap numberOfPlace = new LongIntMap(64);
        for (int i = 0; i < rows.length; i++) {
            int slice = rows[i];
            int detail = details == null ? -1 : details.of(slice);
            long device = detail < 0 || details == null ? -1 : details.device(detail);
            long stream = detail < 0 || details == null ? -1 : details.stream(detail);
            boolean numbered = device >= 0 && stream >= 0;
            int place = places.then(IntTuples.ROOT, values.numberOf(device));
            place = places.then(place, values.numberOf(stream));
            place = places.then(place, numbered ? -1 : slices.track(slice));
            int number = numberOfPlace.get(place);
            if (number < 0) {
                Stream found = stream(trace.tracks().get(slices.track(slice)), device, stream);
                number = numbers.computeIfAbsent(found, s -> numbers.size());
                numberOfPlace.put(place, number);
            }
            streamOf[i] = number;
        }
        List<Stream> sorted = numbers.keySet().stream().sorted(Stream.ORDER).toList();
        int[] rank = new int[sorted.size()];
        for (int i = 0; i < rank.length; i++) {
            rank[numbers.getOrDefault(sorted.get(i), 0)] = i;
        }
        for (int i = 0; i < streamOf.length; i++) {
            streamOf[i] = rank[streamOf[i]];
        }
        return sorted;
    }

    /**
     * {@return the queue in which a slice lies, or which it concerns}
     *
     * @param slice one on a device
     */
    public static Stream streamOf(Trace trace, int slice) {
        DeviceDetails details = trace.view(DeviceDetails.KEY);
        int row = details == null ? -1 : details.of(slice);
        return stream(
                trace.tracks().get(trace.slices().track(slice)),
                details == null || row < 0 ? -1 : details.device(row),
                details == null || row < 0 ? -1 : details.stream(row));
    }

    private static Stream stream(Track track, long device, long stream) {
        return new Stream(
                device >= 0 ? Long.toString(device) : track.process(),
                stream >= 0 ? Long.toString(stream) : track.thread());
    }
}
