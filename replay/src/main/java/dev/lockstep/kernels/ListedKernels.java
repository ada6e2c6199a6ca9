// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.codec.Json;
import dev.lockstep.codec.Json.Members;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.Steps;
import dev.lockstep.kernels.KernelIdentity.Launch;
import dev.lockstep.kernels.KernelIdentity.Operator;
import dev.lockstep.kernels.KernelList.Entry;
import dev.lockstep.kernels.UniqueKernel.Place;
import dev.lockstep.kernels.UniqueKernels.Result;
import dev.lockstep.kernels.UniqueKernels.Selection;
import dev.lockstep.kernels.UniqueKernels.Totals;
import dev.lockstep.model.SliceKind;
import dev.lockstep.table.LongList;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Unique kernels from lists that were written before, put together anew by a key. Confined to one thread. */
public final class ListedKernels {
    private record Key(KernelIdentity identity, String device, String stream, String dtype) {}

    private static final class Group {
        private final Map<String, Map<String, long[]>> places = new TreeMap<>();
        private final LongList durations = new LongList(4);
        private long calls;
    }

    private final Selection selection;
    private final @Nullable Map<String, Set<String>> compute;
    private final Map<Key, Group> groups = new LinkedHashMap<>();
    private long seen;
    private long excluded;
    private long deviceFiltered;
    private long kept;
    private boolean timed = true;

    private ListedKernels(Selection selection, @Nullable Map<String, Set<String>> compute) {
        this.selection = selection;
        this.compute = compute;
    }

    /**
     * The unique kernels of these lists.
     *
     * @param computeLists lists with categories: only the kernels that they call {@code compute} are kept; empty for all
     */
    public static Result of(List<Path> lists, List<Path> computeLists, Selection selection) throws IOException {
        ListedKernels kernels =
                new ListedKernels(selection, computeLists.isEmpty() ? null : computeNames(computeLists, selection));
        for (Path list : lists) {
            KernelList.read(list, (entry, line) -> kernels.add(entry));
        }
        return kernels.result();
    }

    /** Names of kernels that lists call {@code compute}, by device. */
    public static Map<String, Set<String>> computeNames(List<Path> lists, Selection selection) throws IOException {
        Map<String, Set<String>> names = new HashMap<>();
        for (Path list : lists) {
            KernelList.read(list, (entry, line) -> {
                if ("compute".equals(entry.category()) && !selection.excludes(entry.name())) {
                    names.computeIfAbsent(entry.device(), d -> new HashSet<>()).add(entry.name());
                }
            });
        }
        return names;
    }

    private void add(Entry entry) {
        seen += entry.count();
        boolean host = entry.device().isEmpty() || entry.device().equals("unknown");
        if (host || !selection.devices().isEmpty() && !selection.devices().contains(entry.device())) {
            deviceFiltered += entry.count();
            return;
        }
        boolean other = compute != null
                && !compute.getOrDefault(entry.device(), Set.of()).contains(entry.name());
        if (other || selection.excludes(entry.name())) {
            excluded += entry.count();
            return;
        }
        kept += entry.count();
        Members arguments = entry.arguments();
        String stream = KernelList.plain(arguments.get("stream"));
        Set<KeyField> fields = selection.key();
        Key key = new Key(
                identity(entry),
                fields.contains(KeyField.DEVICE) ? entry.device() : "",
                fields.contains(KeyField.STREAM) ? stream : "",
                fields.contains(KeyField.DTYPE) ? KernelList.plain(arguments.get("dtype")) : "");
        Group group = groups.computeIfAbsent(key, k -> new Group());
        group.calls += entry.count();
        long[] place = group.places
                .computeIfAbsent(entry.device(), d -> new TreeMap<>())
                .computeIfAbsent(stream, s -> new long[2]);
        place[0] += entry.count();
        if (entry.event() && entry.duration() >= 0) {
            group.durations.add(entry.duration());
            place[1] += entry.duration();
        } else {
            timed = false;
        }
    }

    private KernelIdentity identity(Entry entry) {
        Members arguments = entry.arguments();
        Set<KeyField> fields = selection.key();
        return new KernelIdentity(
                entry.name(),
                new Launch(
                        fields.contains(KeyField.GRID) ? triple(arguments.get("grid")) : null,
                        fields.contains(KeyField.BLOCK) ? triple(arguments.get("block")) : null,
                        fields.contains(KeyField.SHARED_MEMORY) ? arguments.whole("shared memory", -1) : -1,
                        isCopyOrFill(entry.name()) ? arguments.whole("bytes", -1) : -1,
                        fields.contains(KeyField.REGISTERS) ? arguments.whole("registers per thread", -1) : -1),
                Operator.UNKNOWN);
    }

    private static boolean isCopyOrFill(String name) {
        return Tier.of(name) == Tier.RUNTIME;
    }

    /** As a trace would have it. */
    private static @Nullable String triple(@Nullable Json value) {
        if (!(value instanceof Json.Items(List<Json> items))) {
            return null;
        }
        return items.stream().map(KernelList::plain).toList().toString();
    }

    private Result result() {
        KernelRules rules = KernelRules.standard();
        KernelCategories categories = selection.categories();
        List<UniqueKernel> found = new ArrayList<>(groups.size());
        LongList all = new LongList(1024);
        groups.forEach((key, group) -> {
            String name = key.identity.name();
            long[] durations = group.durations.toArray();
            all.addAll(group.durations);
            List<Place> places = new ArrayList<>();
            group.places.forEach((device, streams) -> streams.forEach(
                    (stream, sums) -> places.add(new Place(device, stream, sums[0], timed ? sums[1] : -1))));
            found.add(new UniqueKernel(
                    0,
                    key.identity,
                    rules.classOf(kind(name), name),
                    categories.of(name),
                    Tier.of(name),
                    group.calls,
                    null,
                    timed ? Durations.of(durations, 0, durations.length) : null,
                    places));
        });
        List<UniqueKernel> kernels = KernelOrder.numbered(found);
        return new Result(
                selection.key(),
                new Totals(seen, kept, excluded, deviceFiltered),
                kernels,
                0,
                Steps.Source.NONE,
                UniqueKernels.forwards(selection.forwards(), 0, Steps.Source.NONE, kernels),
                timed && !kernels.isEmpty() ? DurationHistogram.of(all.toArray()) : null,
                null,
                Content.KERNELS);
    }

    private static SliceKind kind(String name) {
        String plain = name.toLowerCase(Locale.ROOT);
        return plain.startsWith("memcpy")
                ? SliceKind.MEMCPY
                : plain.startsWith("memset") ? SliceKind.MEMSET : SliceKind.KERNEL;
    }
}
