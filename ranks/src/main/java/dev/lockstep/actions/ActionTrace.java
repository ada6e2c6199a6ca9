// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.actions;

import dev.lockstep.analyze.WorkRules;
import dev.lockstep.analyze.time.CauseRules;
import dev.lockstep.analyze.time.IdleCause;
import dev.lockstep.analyze.work.KernelRooflines;
import dev.lockstep.derive.AutogradLinks;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.HostCollectives;
import dev.lockstep.derive.HostNesting;
import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.derive.NearestAround;
import dev.lockstep.derive.RankCollectives;
import dev.lockstep.derive.RecordingTool;
import dev.lockstep.derive.Steps;
import dev.lockstep.derive.SubtreeActivity;
import dev.lockstep.model.IntervalSet;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.options.Device;
import dev.lockstep.perfmodel.ElementTypes;
import dev.lockstep.report.Evidence;
import dev.lockstep.table.IntList;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One recording, as actions look at it. Confined to one thread. */
final class ActionTrace {
    private static final Pattern GPU = Pattern.compile("(?i)nvidia|\\bgpu|amd|instinct|radeon|geforce|tesla");

    private static final Pattern LIBRARY =
            Pattern.compile("^(?:<|nn\\.Module)|(?:^|[/\\\\])(?:torch|functorch|triton)[/\\\\]"
                    + "|^(?:contextlib|functools|threading)\\.py|/lib(?:64)?/python3[^/]*/(?!(?:site|dist)-packages)");

    final Trace trace;
    final Slices slices;
    final WorkRules rules;
    final DeviceActivity activity;
    final LaunchLinks links;
    final HostNesting nesting;
    final Steps steps;
    final RecordingTool tool;
    final @Nullable Device device;

    /** Activities that an action has changed: another one leaves them alone. */
    final BitSet taken = new BitSet();

    private final DerivedCache cache;
    private final CauseRules causes;
    private final NearestAround operators;
    private final TensorInputs.Reader inputs;
    private @Nullable List<Launching> launching;
    private @Nullable Busy busy;
    private @Nullable SubtreeActivity launched;
    private @Nullable IntervalSet pauses;

    ActionTrace(DerivedCache cache, WorkRules rules) {
        this.cache = cache;
        this.rules = rules;
        trace = cache.trace();
        slices = trace.slices();
        activity = cache.get(rules.base().activity());
        links = cache.get(new LaunchLinks.Key(rules.base().links()));
        nesting = cache.get(new HostNesting.Key());
        steps = cache.get(new Steps.Key(null));
        causes = cache.get(new CauseRules.Key(rules.base().links()));
        tool = cache.get(new RecordingTool.Key());
        device = rules.device();
        inputs = new TensorInputs.Reader(trace, ElementTypes.standard());
        operators = new NearestAround(nesting, slices.size(), slice -> slices.kind(slice) == SliceKind.CPU_OP);
    }

    /** Whether PyTorch ran in the program, so that its words may be used. */
    boolean isTorch() {
        return RecordingTool.isTorchProgram(trace);
    }

    /** Whether the devices are known to be GPUs, so that they may be called so. */
    boolean isGpu() {
        return trace.info().devices().stream()
                        .anyMatch(one -> GPU.matcher(one.name()).find())
                || trace.tracks().stream()
                        .anyMatch(track -> track.processName() != null
                                && GPU.matcher(track.processName()).find())
                || hasCallsOfGpus();
    }

    private boolean hasCallsOfGpus() {
        for (int i = 0; i < slices.size(); i++) {
            if (slices.kind(i).isLaunchCall()) {
                return trace.name(i).startsWith("cuda")
                        || trace.name(i).startsWith("hip")
                        || trace.name(i).startsWith("cu");
            }
        }
        return false;
    }

    /** Whether collectives run on the host, as those of gloo do. */
    boolean hasHostCollectives() {
        return cache.get(new HostCollectives.Key()).size() > 0;
    }

    /** Whether the rank exchanges messages with another, as stages of a pipeline do. */
    boolean exchangesMessages() {
        RankCollectives all = cache.get(RankCollectives.Key.ofDevices());
        return IntStream.range(0, all.size())
                .anyMatch(row -> all.call(row).kind().exchangesMessages());
    }

    AutogradLinks autograd() {
        return cache.get(rules.autograd());
    }

    /** What the host did in a slice, by its name or what is linked to it; null where that is not known. */
    @Nullable
    IdleCause causeOf(int slice) {
        return causes.named(slice);
    }

    KernelRooflines rooflines() {
        return cache.get(new KernelRooflines.Key(rules));
    }

    /** The innermost line of Python around a slice that is the program's, and neither PyTorch's nor Python's own; null where none is known. */
    @Nullable
    String frameOf(int slice) {
        for (int one = nesting.around(slice); one >= 0; one = nesting.around(one)) {
            if (isOwnFrame(one)) {
                return trace.name(one);
            }
        }
        return null;
    }

    /** Whether a slice is a line of Python that is the program's, and neither PyTorch's nor Python's own. */
    boolean isOwnFrame(int slice) {
        return slices.kind(slice) == SliceKind.PYTHON
                && !LIBRARY.matcher(trace.name(slice)).find();
    }

    /** From the first step to the end of the last; of no length where none are known. */
    IntervalSet spanOfSteps() {
        List<Steps.Step> all = steps.steps();
        return all.isEmpty()
                ? IntervalSet.EMPTY
                : IntervalSet.of(all.getFirst().start(), all.getLast().end());
    }

    /** The long stretches of steps in which the host does nothing that a device needs. */
    IntervalSet pauses() {
        IntervalSet known = pauses;
        if (known == null) {
            known = HostPause.find(this);
            pauses = known;
        }
        return known;
    }

    /** Whether a slice is the mark of a step. */
    boolean isStep(int slice) {
        int step = steps.at(slices.ts(slice));
        return step >= 0 && steps.steps().get(step).start() == slices.ts(slice);
    }

    /** The innermost operator around a slice of the host, the slice itself included, or -1. */
    int operatorOf(int slice) {
        return slice < 0 ? -1 : operators.of(slice);
    }

    /** The next operator around another one, or -1. */
    int operatorAround(int operator) {
        return operators.beyond(operator);
    }

    /** What the operator and all it calls launched, in order of launches. */
    int[] activitiesOf(int slice) {
        SubtreeActivity all = launched();
        IntList found = new IntList(8);
        for (int i = all.from(slice); i < all.to(slice); i++) {
            found.add(all.activity(i));
        }
        return found.toArray();
    }

    private SubtreeActivity launched() {
        SubtreeActivity known = launched;
        if (known == null) {
            known = cache.get(rules.activity());
            launched = known;
        }
        return known;
    }

    boolean isComputation(int activitySlice) {
        return slices.kind(activitySlice) == SliceKind.KERNEL && activity.classOf(activitySlice) == KernelClass.COMPUTE;
    }

    Busy busy() {
        Busy known = busy;
        if (known == null) {
            known = Busy.of(this);
            busy = known;
        }
        return known;
    }

    /** The tensors that an operator got; empty where they were not recorded. */
    TensorInputs inputs(int operator) {
        return inputs.of(operator);
    }

    /** The operators that launch work themselves, in order of time, with what they launch. */
    List<Launching> launching() {
        List<Launching> known = launching;
        if (known == null) {
            known = Launching.all(this);
            launching = known;
        }
        return known;
    }

    /** Whether a moment lies in a step; where none are known, everything does. */
    boolean isInStep(long ts) {
        return steps.steps().isEmpty() || steps.at(ts) >= 0;
    }

    /** How many steps there are; one where none are known. */
    int stepCount() {
        return Math.max(1, steps.steps().size());
    }

    /** Places of slices, the longest first. */
    Evidence places(IntList all) {
        List<Evidence.Place> places = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            int slice = all.get(i);
            places.add(new Evidence.Place(trace.name(slice), slices.ts(slice), slices.end(slice)));
        }
        return longest(places);
    }

    /** Places, the longest first. */
    Evidence longest(List<Evidence.Place> places) {
        places.sort(
                Comparator.comparingLong(Evidence.Place::length).reversed().thenComparingLong(Evidence.Place::start));
        return new Evidence.Places(places, places.size());
    }
}
