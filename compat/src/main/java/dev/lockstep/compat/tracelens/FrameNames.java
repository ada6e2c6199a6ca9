// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.compat.tracelens;

import java.util.regex.Pattern;

/** TraceLens takes every underscore with digits behind it out of frames, so that instances of modules look alike. */
final class FrameNames {
    private static final Pattern NUMBER = Pattern.compile("_\\d+");

    private FrameNames() {}

    static String of(String frame) {
        return frame.indexOf('_') < 0 ? frame : NUMBER.matcher(frame).replaceAll("");
    }
}
