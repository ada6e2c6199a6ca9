/** The rules that hold for the code as a whole. */
@NullMarked
package dev.lockstep.architecture;

import org.jspecify.annotations.NullMarked;
