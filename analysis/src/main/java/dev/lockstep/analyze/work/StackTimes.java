// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze.work;

import dev.lockstep.analyze.AnalysisRules;
import dev.lockstep.derive.CallTree;
import dev.lockstep.derive.DerivedCache;
import dev.lockstep.derive.DeviceActivity;
import dev.lockstep.derive.LaunchLinks;
import dev.lockstep.model.SliceKind;
import dev.lockstep.model.Slices;
import dev.lockstep.model.Trace;
import dev.lockstep.model.Track;
import dev.lockstep.report.WeightedStacks;
import dev.lockstep.report.WeightedStacks.Kind;

/**
 * Time of the host or of the devices by what called what. Modules: the pass, modules and operators, which leaves Python
 * out; what runs outside of modules has a pass of its own. Python: threads with all frames and operators on them. Time of the
 * devices is the sum of durations of what was launched there; time of the host is that of calls without the calls inside.
 *
 * @param python whether stacks are cut by frames of Python instead of by modules
 * @param device whose time it is
 */
public record StackTimes(boolean python, boolean device) {
    private static final String UNKNOWN = "(no known launch)";

    /** The words of the command line: {@code device}, {@code host}, {@code python-device}, {@code python-host}. */
    public String word() {
        return (python ? "python-" : "") + (device ? "device" : "host");
    }

    /** The stacks of a trace. */
    public WeightedStacks of(DerivedCache cache, AnalysisRules rules) {
        return new Run(this, cache, rules).stacks();
    }

    private static final class Run {
        private final StackTimes what;
        private final DerivedCache cache;
        private final AnalysisRules rules;
        private final Trace trace;
        private final Slices slices;
        private final CallTree tree;
        private final ModuleTree modules;
        private final WeightedStacks stacks;
        private final int[] numbers;
        private final int[] stackOfPlace;
        private final int[] stackOf;

        private Run(StackTimes what, DerivedCache cache, AnalysisRules rules) {
            this.what = what;
            this.cache = cache;
            this.rules = rules.withPython(true);
            trace = cache.trace();
            slices = trace.slices();
            tree = cache.get(this.rules.tree());
            modules = cache.get(new ModuleTree.Key(rules));
            stacks = new WeightedStacks((what.device ? "Time of devices" : "Time of the host")
                    + (what.python ? " by Python stacks" : " by modules and operators"));
            numbers = new int[trace.strings().size()];
            stackOfPlace = new int[2 * modules.size()];
            stackOf = new int[slices.size()];
        }

        private WeightedStacks stacks() {
            for (int i = 0; i < tree.size(); i++) {
                int node = tree.node(i);
                stackOf[node] = what.python ? withFrames(node) : withModules(node);
                if (!what.device) {
                    spendOnHost(node);
                }
            }
            if (what.device) {
                spendOnDevice();
            }
            return stacks;
        }

        private void spendOnHost(int node) {
            int above = tree.parent(node);
            stacks.spend(stackOf[node], slices.dur(node));
            if (above >= 0) {
                stacks.spend(stackOf[above], slices.ts(node) - Math.min(slices.end(node), slices.end(above)));
            }
        }

        private void spendOnDevice() {
            DeviceActivity activity = cache.get(new DeviceActivity.Key(rules.kernels(), null));
            LaunchLinks links = cache.get(new LaunchLinks.Key(rules.links()));
            int unknown = -1;
            for (int i = 0; i < activity.size(); i++) {
                int slice = activity.slice(i);
                int launch = links.launchOf(slice);
                if (launch < 0 && unknown < 0) {
                    unknown = stacks.then(WeightedStacks.ROOT, stacks.numberOf(UNKNOWN), Kind.GROUP);
                }
                int stack = launch < 0 ? unknown : stackOf[launch];
                stacks.spend(stacks.then(stack, number(slices.name(slice)), Kind.ACTIVITY), slices.dur(slice));
            }
        }

        private int withFrames(int node) {
            int above = tree.parent(node);
            int below = above >= 0
                    ? stackOf[above]
                    : stacks.then(WeightedStacks.ROOT, stacks.numberOf(threadOf(node)), Kind.GROUP);
            return isLeftOut(node) ? below : stacks.then(below, number(slices.name(node)), kindOf(node));
        }

        private String threadOf(int node) {
            Track track = trace.tracks().get(slices.track(node));
            String name = rules.namesOf(track).thread();
            return name == null ? "thread " + track.thread() : name;
        }

        private int withModules(int node) {
            int above = tree.parent(node);
            int place = place(node);
            int below = above >= 0 && place == place(above) ? stackOf[above] : stackOfPlace(place);
            boolean shown = slices.kind(node) != SliceKind.PYTHON && !isLeftOut(node);
            return shown ? stacks.then(below, number(slices.name(node)), kindOf(node)) : below;
        }

        /** Launching calls say nothing about time on the device. */
        private boolean isLeftOut(int node) {
            return what.device && slices.kind(node).isLaunchCall();
        }

        private int place(int slice) {
            return 2 * modules.placeOf(slice) + (modules.isBackward(slice) ? 1 : 0);
        }

        private int stackOfPlace(int place) {
            if (stackOfPlace[place] == 0) {
                stackOfPlace[place] = place / 2 == ModuleTree.OUTSIDE
                        ? outside()
                        : stacks.then(aroundModule(place), stacks.numberOf(modules.name(place / 2)), Kind.MODULE);
            }
            return stackOfPlace[place];
        }

        private int aroundModule(int place) {
            int around = modules.parent(place / 2);
            if (around != ModuleTree.OUTSIDE) {
                return stackOfPlace(2 * around + place % 2);
            }
            String pass = place % 2 == 0 ? "forward" : "backward";
            return stacks.then(WeightedStacks.ROOT, stacks.numberOf(pass), Kind.GROUP);
        }

        private int outside() {
            return modules.size() == 1
                    ? WeightedStacks.ROOT
                    : stacks.then(WeightedStacks.ROOT, stacks.numberOf("(outside of modules)"), Kind.GROUP);
        }

        private int number(int name) {
            if (numbers[name] == 0) {
                numbers[name] = stacks.numberOf(trace.strings().get(name)) + 1;
            }
            return numbers[name] - 1;
        }

        private Kind kindOf(int node) {
            return switch (slices.kind(node)) {
                case PYTHON -> modules.isCall(node) ? Kind.MODULE : Kind.FRAME;
                case CPU_OP -> Kind.OPERATOR;
                default -> Kind.CALL;
            };
        }
    }
}
