// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.reporting;

import dev.lockstep.analyze.time.GpuTimeline;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.DeviceGaps;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.report.Evidence;
import dev.lockstep.report.Evidence.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Where on the timeline of a device, and in which rows of its sheet, lies what a finding says of it. */
final class DevicePlaces {
    private final DerivedCache cache;
    private final DeviceActivity.Key activity;
    private final GpuTimeline.Result sheet;

    /** @param sheet as the report shows it */
    DevicePlaces(DerivedCache cache, DeviceActivity.Key activity, GpuTimeline.Result sheet) {
        this.cache = cache;
        this.activity = activity;
        this.sheet = sheet;
    }

    /** The row of sheet {@code gpu_timeline} for a part. */
    Evidence row(String type) {
        return sheet.row(type);
    }

    /** Where no stream did anything. */
    Evidence idle() {
        DeviceGaps gaps = cache.get(new DeviceGaps.Key(activity));
        List<Place> places = new ArrayList<>();
        for (int gap = 0; gap < gaps.size(); gap++) {
            places.add(new Place("idle", gaps.start(gap), gaps.end(gap)));
        }
        return longestFirst(places);
    }

    /** Where communication ran and no computation. */
    Evidence exposedCommunication() {
        Map<KernelClass, IntervalSet> busy = busy();
        return places(
                "exposed communication", of(busy, KernelClass.COMMUNICATION).minus(of(busy, KernelClass.COMPUTE)));
    }

    /** Where copies and fills ran, and neither computation nor communication. */
    Evidence exposedCopies() {
        Map<KernelClass, IntervalSet> busy = busy();
        IntervalSet working = of(busy, KernelClass.COMPUTE).union(of(busy, KernelClass.COMMUNICATION));
        return places("exposed copies", of(busy, KernelClass.MEMORY).minus(working));
    }

    private Map<KernelClass, IntervalSet> busy() {
        return cache.get(activity).busyByClass(1, i -> 0).getFirst();
    }

    private static IntervalSet of(Map<KernelClass, IntervalSet> busy, KernelClass of) {
        return busy.getOrDefault(of, IntervalSet.EMPTY);
    }

    private static Evidence places(String label, IntervalSet set) {
        List<Place> places = new ArrayList<>();
        for (int i = 0; i < set.size(); i++) {
            places.add(new Place(label, set.start(i), set.end(i)));
        }
        return longestFirst(places);
    }

    /** Of equally long places the earlier comes first. */
    static Evidence.Places longestFirst(List<Place> places) {
        List<Place> sorted = new ArrayList<>(places);
        sorted.sort(Comparator.comparingLong(Place::length).reversed().thenComparingLong(Place::start));
        return new Evidence.Places(sorted, places.size());
    }
}
