// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.work.OperatorFlops;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.ModuleFrames;
import dev.lockstep.model.DeviceDetails;
import dev.lockstep.model.Recorded;
import dev.lockstep.model.RecordedTexts;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Track;
import dev.lockstep.table.StringPool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The slices of a rank. */
final class SliceRows {
    private static final String[] SHARED = {"category", "name", "module"};
    private static final long OFFSET_BASIS = 0xcbf29ce484222325L;
    private static final long PRIME = 0x100000001b3L;

    private final SlicePlaces places;
    private final Slices slices;
    private final @Nullable DeviceDetails details;
    private final int[] depth;
    private final long[] self;
    private final int[] module;
    private final int[] process;
    private final int[] thread;
    private final int[] kinds = new int[SliceKind.values().length];
    private final int[] classes = new int[KernelClass.values().length];
    private final StringPool words = new StringPool();
    private final long[] hashes;
    private final OperatorFlops flops;
    private final RecordedTexts.@Nullable Cursor arguments;

    private SliceRows(SlicePlaces places, boolean withArguments) {
        this.places = places;
        slices = places.slices;
        details = places.trace.view(DeviceDetails.KEY);
        depth = new int[slices.size()];
        self = new long[slices.size()];
        module = new int[slices.size()];
        process = new int[places.trace.tracks().size()];
        thread = new int[process.length];
        hashes = new long[places.trace.strings().size()];
        flops = places.cache.get(new OperatorFlops.Key());
        Recorded recorded = withArguments ? places.trace.withRecorded().recorded() : null;
        arguments = recorded == null ? null : recorded.slices().cursor();
        nest();
        name();
    }

    /** @param withArguments whether slices get their arguments as recorded */
    static void write(SlicePlaces places, boolean withArguments, long shift, BatchSink sink) throws IOException {
        new SliceRows(places, withArguments).write(shift, sink);
    }

    private void nest() {
        ModuleFrames frames = new ModuleFrames(places.trace);
        Arrays.fill(module, -1);
        for (int i = 0; i < depth.length; i++) {
            self[i] += slices.dur(i);
            int around = places.nesting.around(i);
            if (around >= 0) {
                depth[i] = depth[around] + 1;
                self[around] -= Math.min(slices.end(i), slices.end(around)) - slices.ts(i);
                module[i] = module[around];
            }
            if (frames.isModule(i)) {
                module[i] = slices.name(i);
            }
        }
    }

    private void name() {
        for (int i = 0; i < process.length; i++) {
            Track track = places.trace.tracks().get(i);
            String processName = track.processName();
            String threadName = track.threadName();
            process[i] = words.intern(processName == null ? track.process() : processName);
            thread[i] = words.intern(threadName == null ? track.thread() : threadName);
        }
        for (SliceKind kind : SliceKind.values()) {
            kinds[kind.ordinal()] = words.intern(kind.name().toLowerCase(Locale.ROOT));
        }
        for (KernelClass kind : KernelClass.values()) {
            classes[kind.ordinal()] = words.intern(kind.name().toLowerCase(Locale.ROOT));
        }
    }

    private void write(long shift, BatchSink sink) throws IOException {
        BatchRows rows = new BatchRows(sink, DatasetTables.SLICES, places.trace.strings(), SHARED);
        for (int i = 0; i < slices.size(); i++) {
            RowBatch row = rows.next();
            if (row.size() == 1) {
                row.pool(5, words);
                row.pool(8, words);
                row.pool(9, words);
                row.pool(19, words);
            }
            SliceKind kind = slices.kind(i);
            row.set(0, places.rank());
            row.setId(1, places.step(i));
            row.set(2, i);
            row.setText(5, kinds[kind.ordinal()]);
            row.setText(6, slices.category(i));
            row.setText(7, slices.name(i));
            row.setText(8, process[slices.track(i)]);
            row.setText(9, thread[slices.track(i)]);
            row.set(12, slices.ts(i) + shift);
            row.set(13, slices.dur(i));
            row.setId(16, slices.correlation(i));
            row.set(21, hash(slices.name(i)));
            row.set(23, arguments(i));
            if (kind == SliceKind.CPU_OP) {
                row.set(22, flops.of(i));
            }
            if (kind.isOnDevice()) {
                device(row, i, kind);
            } else {
                row.setId(3, places.nesting.around(i));
                row.set(4, depth[i]);
                row.set(14, self[i]);
                row.setText(18, module[i]);
            }
        }
        rows.finish();
    }

    /** FNV-1a of 64 bits, as in the reference by Fowler, Noll and Vo. */
    static long hash(String name) {
        long hash = OFFSET_BASIS;
        for (byte one : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (one & 0xff)) * PRIME;
        }
        return hash;
    }

    private long hash(int name) {
        if (hashes[name] == 0) {
            hashes[name] = hash(places.trace.strings().get(name));
        }
        return hashes[name];
    }

    private @Nullable String arguments(int slice) {
        if (arguments == null || !arguments.move(slice) || !arguments.hasArguments) {
            return null;
        }
        int length = arguments.argumentsEnd - arguments.arguments;
        return "{" + new String(arguments.bytes, arguments.arguments, length, StandardCharsets.UTF_8) + "}";
    }

    private void device(RowBatch row, int slice, SliceKind kind) {
        int detail = details == null ? -1 : details.of(slice);
        if (details != null && detail >= 0) {
            row.setId(10, details.device(detail));
            row.setId(11, details.stream(detail));
            row.setId(20, details.bytes(detail));
        }
        int launch = places.launch(slice);
        row.setId(15, launch);
        row.setId(17, places.operator(slice));
        row.setText(18, launch < 0 ? -1 : module[launch]);
        if (kind.isDeviceActivity()) {
            row.setText(19, classes[places.activity.classOf(slice).ordinal()]);
        }
    }
}
