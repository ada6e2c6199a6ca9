// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.write;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.report.Topic;
import dev.lockstep.report.Trust;

/** How far something can be believed, as the member {@code trust} of documents. */
public final class TrustJson {
    private TrustJson() {}

    /** The value of the member. */
    public static JsonObject of(Trust trust) {
        return new JsonObject()
                .with("verdict", trust.verdict().word())
                .with("reasons", trust.reasons().stream().map(TrustJson::reason).toList());
    }

    private static JsonObject reason(Trust.Reason reason) {
        return new JsonObject()
                .with("code", reason.code())
                .with("count", reason.count())
                .with("of", reason.of())
                .with("share", reason.share())
                .with("text", reason.text())
                .with("withheld", reason.withheld().stream().map(Topic::word).toList())
                .with("advice", reason.advice());
    }
}
