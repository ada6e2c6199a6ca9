// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.perfmodel;

/** Something that has a value for each call: part of a formula. */
@FunctionalInterface
interface Formula {
    /**
     * The value for the call of the scope.
     *
     * @throws NotModelled if the call lacks what the formula asks for
     */
    Value in(Scope scope) throws NotModelled;
}
