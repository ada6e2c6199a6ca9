// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.aorta.config;

/**
 * What the two runs of a comparison are called.
 *
 * @param baseline the run that is compared with
 * @param test the run that is compared
 */
record Labels(String baseline, String test) {}
