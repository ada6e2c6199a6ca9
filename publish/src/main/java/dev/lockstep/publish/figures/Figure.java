// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.publish.figures;

import dev.lockstep.publish.plot.Picture;

/**
 * A picture with its place among others.
 *
 * @param file name of its file, ending in {@code .png}
 * @param heading above it on a page
 * @param doc what it shows, in a sentence
 */
public record Figure(String file, String heading, String doc, Picture picture) {}
