// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.derive;

/** Which annotation tells of the iteration that an operator belongs to. */
public enum AnnotationRule {
    /** That of the engine's iteration in which the operator begins. */
    ITERATION,
    /** Of all annotations, also those seen on the device, the first that holds the operator and ends after it. */
    FIRST_AROUND
}
