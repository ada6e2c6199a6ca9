// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.aiu.pipeline;

import java.util.Locale;

/** Formats of a result. A target with an ending of Perfetto's format gets that one instead of JSON. */
public enum AiuFormat {
    /** Chrome's JSON. */
    JSON,
    /** A text table of complete events. */
    PDDF,
    /** Known by name alone: nothing writes it. */
    PROTOBUF;

    /** As users write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
