// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.kernels;

import dev.lockstep.derive.KernelClass;
import dev.lockstep.derive.KernelRules;
import dev.lockstep.kernels.KernelIdentity.Launch;
import dev.lockstep.kernels.KernelIdentity.Operator;
import dev.lockstep.model.SliceKind;
import dev.lockstep.read.execution.ExecutionTrace;
import dev.lockstep.read.execution.ExecutionTrace.Activity;
import dev.lockstep.read.execution.ExecutionTrace.Node;
import dev.lockstep.replay.plan.ExecutedWork;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The kernels, copies and fills of an execution trace that was linked with a trace of the device. */
final class LinkedCalls {
    private record Name(SliceKind kind, String name) {}

    private LinkedCalls() {}

    static List<ExecutedCall> of(
            ExecutionTrace trace, ExecutedWork work, Set<KeyField> key, KernelCategories categories) {
        KernelRules rules = KernelRules.standard();
        Map<Name, KernelClass> uses = new HashMap<>();
        List<ExecutedCall> found = new ArrayList<>(trace.activities().size());
        for (int i = 0; i < trace.activities().size(); i++) {
            Activity activity = trace.activities().get(i);
            int launcher = work.launcherOf(i);
            Node node = launcher < 0 ? null : trace.nodes().get(launcher);
            found.add(new ExecutedCall(
                    new KernelIdentity(
                            activity.name(),
                            new Launch(null, null, -1, -1, -1),
                            node == null ? Operator.UNKNOWN : OperatorCalls.operator(node.name(), node.inputs(), key)),
                    uses.computeIfAbsent(
                            new Name(activity.kind(), activity.name()), n -> rules.classOf(n.kind, n.name)),
                    categories.of(activity.name()),
                    Tier.of(activity.name()),
                    node == null || node.device() == null ? "" : node.device(),
                    activity.stream(),
                    launcher,
                    activity.launchNs(),
                    activity.ns()));
        }
        return found;
    }
}
