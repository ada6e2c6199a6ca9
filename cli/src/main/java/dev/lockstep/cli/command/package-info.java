/**
 * One class for each command. A command is thin: open, call the library, print, return an
 * {@link dev.lockstep.cli.ExitStatus}. Every command mixes in {@link dev.lockstep.cli.GlobalOptions} and writes through
 * its picocli {@code CommandLine}, so that tests can read what it says.
 */
@NullMarked
package dev.lockstep.cli.command;

import org.jspecify.annotations.NullMarked;
