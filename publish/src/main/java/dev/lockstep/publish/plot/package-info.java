// SPDX-License-Identifier: Apache-2.0
/**
 * Pictures of figures: a {@link dev.lockstep.publish.plot.Picture} says what to show,
 * {@link dev.lockstep.publish.plot.PictureWriter} draws it as PNG or SVG. The same picture gives the same bytes, with or
 * without fonts on the machine: letters are outlines that come along, and the JDK's own rasteriser fills them.
 */
@NullMarked
package dev.lockstep.publish.plot;

import org.jspecify.annotations.NullMarked;
