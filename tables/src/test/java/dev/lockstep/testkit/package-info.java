// SPDX-License-Identifier: Apache-2.0
/**
 * Contract suites, golden files and tiny traces that tests of every module share. Published as core's test-jar.
 */
@NullMarked
package dev.lockstep.testkit;

import org.jspecify.annotations.NullMarked;
