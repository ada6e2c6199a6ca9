// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.lockstep.goal.model.ScheduleCounts;
import dev.lockstep.goal.model.ScheduleCounts.OfPair;
import dev.lockstep.goal.model.ScheduleCounts.OfRank;
import dev.lockstep.goal.model.ScheduleProof;
import java.io.IOException;
import java.io.PrintWriter;

/** What schedules hold, for programs; the fields stand in {@code docs/reference/cli.md}. */
final class ScheduleJson {
    private ScheduleJson() {}

    static void verification(PrintWriter out, ScheduleProof proof, ScheduleCounts counts) throws IOException {
        try (JsonGenerator json = generator(out)) {
            json.writeStartObject();
            json.writeBooleanField("correct", proof.correct());
            json.writeNumberField("error_count", proof.flawCount());
            json.writeArrayFieldStart("errors");
            for (String flaw : proof.flaws()) {
                json.writeString(flaw);
            }
            json.writeEndArray();
            json.writeStringField("not_proven", proof.open());
            json.writeArrayFieldStart("ranks");
            for (OfRank rank : counts.ranks()) {
                rank(json, rank);
            }
            json.writeEndArray();
            json.writeArrayFieldStart("pairs");
            for (OfPair pair : counts.pairs()) {
                json.writeStartObject();
                json.writeNumberField("from", pair.from());
                json.writeNumberField("to", pair.to());
                json.writeNumberField("messages", pair.messages());
                json.writeNumberField("bytes", pair.bytes());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        out.println();
    }

    static JsonGenerator generator(PrintWriter out) throws IOException {
        JsonGenerator json = new JsonFactory().createGenerator(out);
        return json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET).useDefaultPrettyPrinter();
    }

    private static void rank(JsonGenerator json, OfRank rank) throws IOException {
        json.writeStartObject();
        json.writeNumberField("rank", rank.rank());
        json.writeNumberField("operations", rank.operations());
        json.writeNumberField("calcs", rank.calcs());
        json.writeNumberField("empty_calcs", rank.empty());
        json.writeNumberField("calc_ns", rank.calcNs());
        json.writeNumberField("sends", rank.sends());
        json.writeNumberField("receives", rank.receives());
        json.writeNumberField("bytes_sent", rank.bytesSent());
        json.writeNumberField("bytes_received", rank.bytesReceived());
        json.writeNumberField("requires", rank.requires());
        json.writeNumberField("irequires", rank.irequires());
        json.writeNumberField("cpus", rank.cpus());
        json.writeNumberField("nics", rank.nics());
        json.writeEndObject();
    }
}
