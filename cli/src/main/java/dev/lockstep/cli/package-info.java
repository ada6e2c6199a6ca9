/**
 * The program: {@link dev.lockstep.cli.Main} builds the command tree from {@link dev.lockstep.cli.Commands} and turns
 * failures into exit statuses. Start with {@code Commands}: it is the table of contents. Commands themselves are in
 * {@code command}, one class each; they parse, call the library, print, and return a status.
 */
@NullMarked
package dev.lockstep.cli;

import org.jspecify.annotations.NullMarked;
