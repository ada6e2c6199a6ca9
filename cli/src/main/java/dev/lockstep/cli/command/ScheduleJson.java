// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.codec.JsonObject;
import dev.lockstep.codec.JsonOut;
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
        print(
                new JsonObject()
                        .with("correct", proof.correct())
                        .with("error_count", proof.flawCount())
                        .with("errors", proof.flaws())
                        .with("not_proven", proof.open())
                        .with(
                                "ranks",
                                counts.ranks().stream().map(ScheduleJson::rank).toList())
                        .with(
                                "pairs",
                                counts.pairs().stream().map(ScheduleJson::pair).toList()),
                out);
    }

    static void print(JsonObject json, PrintWriter out) throws IOException {
        JsonOut.pretty(json, out);
        out.println();
    }

    private static JsonObject pair(OfPair pair) {
        return new JsonObject()
                .with("from", pair.from())
                .with("to", pair.to())
                .with("messages", pair.messages())
                .with("bytes", pair.bytes());
    }

    private static JsonObject rank(OfRank rank) {
        return new JsonObject()
                .with("rank", rank.rank())
                .with("operations", rank.operations())
                .with("calcs", rank.calcs())
                .with("empty_calcs", rank.empty())
                .with("calc_ns", rank.calcNs())
                .with("sends", rank.sends())
                .with("receives", rank.receives())
                .with("bytes_sent", rank.bytesSent())
                .with("bytes_received", rank.bytesReceived())
                .with("requires", rank.requires())
                .with("irequires", rank.irequires())
                .with("cpus", rank.cpus())
                .with("nics", rank.nics());
    }
}
