// SPDX-License-Identifier: Apache-2.0
/**
 * What waited for what: one graph of dependencies over the host threads and the devices of one rank or of all, and the
 * questions it answers. Vertices are moments (a call begins, a kernel ends), edges say which moment had to come first and
 * by how much. {@link dev.lockstep.path.DependencyGraph} holds it, {@link dev.lockstep.path.RankGraph} makes it from a
 * trace, {@link dev.lockstep.path.CriticalPath} walks it backwards, {@link dev.lockstep.path.ComputeGaps} asks it what
 * ended each gap of computation, and {@link dev.lockstep.path.WhatIf} computes all moments anew with other durations.
 */
@NullMarked
package dev.lockstep.path;

import org.jspecify.annotations.NullMarked;
