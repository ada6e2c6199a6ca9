// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.analyze;

import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * How call stacks are shown.
 *
 * @param frameName how frames are spelled
 * @param ofRests whether what stands alone has the stack of its launch; otherwise only its kernel is shown
 * @param shortestFirst whether ways to kernels stand by the time of these kernels, else in order of launch
 * @param repeatedBelowSteps whether the whole way to a kernel follows on the way to the added step that it stands in
 * @param notFound stands for an entry point that is not known; null to leave the cell empty
 */
public record StackRule(
        UnaryOperator<String> frameName,
        boolean ofRests,
        boolean shortestFirst,
        boolean repeatedBelowSteps,
        @Nullable String notFound) {
    /** As recorded. */
    public static final StackRule STANDARD = new StackRule(UnaryOperator.identity(), true, false, false, null);
}
