// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.dataset;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.Steps;
import dev.lockstep.model.OpDetails;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import org.jspecify.annotations.Nullable;

/**
 * Where the slices of a rank belong: to which step, in which other slice, under which operator. Device activity belongs to the
 * step in which it was launched; without a known launch, to the step in which it starts.
 */
final class SlicePlaces {
    final Trace trace;
    final Slices slices;
    final Steps steps;
    final DeviceActivity activity;
    final HostNesting nesting;
    final DerivedCache cache;
    private final LaunchLinks links;
    private final @Nullable OpDetails arguments;
    private final int[] stepOf;

    SlicePlaces(DerivedCache cache) {
        AnalysisRules rules = AnalysisRules.standard();
        this.cache = cache;
        trace = cache.trace();
        slices = trace.slices();
        steps = cache.get(new Steps.Key(null));
        activity = cache.get(rules.activity());
        links = cache.get(new LaunchLinks.Key(rules.links()));
        nesting = cache.get(new HostNesting.Key());
        arguments = trace.view(OpDetails.KEY);
        stepOf = new int[slices.size()];
        for (int i = 0; i < stepOf.length; i++) {
            int launch = launch(i);
            stepOf[i] = steps.at(slices.ts(launch >= 0 ? launch : i));
        }
    }

    int rank() {
        return trace.info().rank().index();
    }

    /** Place of the step among all, or -1. */
    int stepIndex(int slice) {
        return stepOf[slice];
    }

    /** Number of the step as its annotation counts, or -1. */
    long step(int slice) {
        return number(stepOf[slice]);
    }

    /** Number of the step that stands at a place, -1 for none. */
    long number(int index) {
        return index < 0 ? -1 : steps.steps().get(index).number();
    }

    /** The call that launched the device activity, or -1. */
    int launch(int slice) {
        return slices.kind(slice).isOnDevice() ? links.launchOf(slice) : -1;
    }

    /** The operator around the launch of the device activity, or -1. */
    int operator(int slice) {
        int place = launch(slice);
        while (place >= 0 && slices.kind(place) != SliceKind.CPU_OP) {
            place = nesting.around(place);
        }
        return place;
    }

    /** Pool id of the shapes of an operator's inputs, or -1. */
    int dims(int operator) {
        if (arguments == null || operator < 0) {
            return -1;
        }
        int row = arguments.of(operator);
        return row < 0 ? -1 : arguments.inputDims(row);
    }
}
