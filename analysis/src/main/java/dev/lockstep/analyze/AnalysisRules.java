// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.derive.LaunchRule;
import dev.lockstep.derive.Launchers;
import dev.lockstep.derive.Nesting;
import dev.lockstep.model.Track;

/**
 * The definitions on which numbers rest, where there is more than one way. {@link #standard} is the right one; packages
 * under {@code compat} hand in those of other tools.
 *
 * @param nesting how the call tree is built
 * @param python whether Python frames are nodes of the call tree
 * @param links how launches are found
 * @param kernels tell what kernels are for
 * @param categories tell what operators are for
 * @param linkedOnly whether device activity without a known launch is left out of times
 * @param collectivesAsOps whether operators that launch collectives stand among the others
 * @param lastNames whether of several names of a thread the last in the file counts, else the most telling
 */
public record AnalysisRules(
        Nesting nesting,
        boolean python,
        LaunchRule links,
        KernelRules kernels,
        OpCategories categories,
        boolean linkedOnly,
        boolean collectivesAsOps,
        boolean lastNames) {
    /** The definitions of the program itself. */
    public static AnalysisRules standard() {
        return new AnalysisRules(
                Nesting.BY_TIME,
                false,
                LaunchRule.CORRELATION,
                KernelRules.standard(),
                OpCategories.standard(),
                false,
                true,
                false);
    }

    /** The same with Python frames in the call tree or without. */
    public AnalysisRules withPython(boolean frames) {
        return new AnalysisRules(nesting, frames, links, kernels, categories, linkedOnly, collectivesAsOps, lastNames);
    }

    /** The same with other categories of operators. */
    public AnalysisRules withCategories(OpCategories other) {
        return new AnalysisRules(nesting, python, links, kernels, other, linkedOnly, collectivesAsOps, lastNames);
    }

    /** What a track is called. */
    public Track.Names namesOf(Track track) {
        return lastNames ? track.lastNames() : track.names();
    }

    public CallTree.Key tree() {
        return new CallTree.Key(nesting, python);
    }

    /** The device activity that counts for times. */
    public DeviceActivity.Key activity() {
        return new DeviceActivity.Key(kernels, linkedOnly ? links : null);
    }

    public Launchers.Key launchers() {
        return new Launchers.Key(tree(), links, collectivesAsOps ? null : KernelClass.COMMUNICATION, kernels);
    }
}
