// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.replay.plan;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Why an operator was not replayed. The first ones are known from the recording, the others come up in a run. */
public enum ReplayGap {
    /** Communication between ranks, which one process cannot do alone. */
    COLLECTIVE("communication between ranks; a single process has nobody to talk to"),
    /** The recording does not hold the shapes of the inputs. */
    SHAPES_MISSING("the recording lacks shapes of its inputs"),
    /** The recording holds shapes, but no values, and the operator needs some. */
    VALUES_MISSING("the recording lacks values of its inputs that are no tensors"),
    /** An input has an element type that is not known here. */
    TYPE_UNKNOWN("an input has an unknown element type"),
    /** Code that was compiled for the recorded program and is no operator of the framework. */
    COMPILED_CODE("compiled or foreign code, no operator of the framework"),
    /** It could reach files, others or code outside of the replay, which no recording may have done. */
    REFUSED("it could reach files, others or code outside of the replay, and is never run"),
    /** The framework at hand has no operator of this name. */
    NO_SUCH_OPERATOR("the framework of the replay does not have it; its library is needed"),
    /** The operator exists, but not for the device of the replay. */
    NO_BACKEND("the framework has no kernel of it for the device of the replay"),
    /** No form of the operator takes the recorded arguments. */
    ARGUMENTS("no form of the operator takes the recorded arguments"),
    /** The inputs need more memory than is allowed. */
    MEMORY("its inputs need more memory than is allowed"),
    /** The operator refused the inputs. */
    FAILED("the operator refused the made-up inputs"),
    /** The process that ran it ended. */
    CRASHED("the process that ran it ended"),
    /** It took longer than is allowed. */
    TIMED_OUT("it took longer than is allowed"),
    /** The run ended before its turn. */
    NOT_RUN("the run ended before its turn");

    private final String words;

    ReplayGap(String words) {
        this.words = words;
    }

    /** The word for it in plans and results. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it means, as the end of a sentence. */
    public String words() {
        return words;
    }

    /** The reason that has this code. */
    public static Optional<ReplayGap> of(String code) {
        return Arrays.stream(values()).filter(gap -> gap.code().equals(code)).findFirst();
    }
}
