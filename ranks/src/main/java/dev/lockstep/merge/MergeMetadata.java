// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.TraceInfo;
import dev.lockstep.write.JsonTexts;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** What stands in a merged file beside the events: how it was made, and what each rank's file said of itself. */
final class MergeMetadata {
    /** The file, if the file does not use the word itself; what was merged before names the files that it was made of. */
    private static final String SOURCE = "source";

    private final Map<Integer, String> ranks = new TreeMap<>();

    void add(TraceInfo info) {
        Map<String, String> said = new LinkedHashMap<>();
        said.put(SOURCE, JsonTexts.quoted(info.source()));
        said.putAll(info.metadata());
        StringBuilder json = new StringBuilder();
        said.forEach((key, value) -> json.append(json.isEmpty() ? '{' : ',')
                .append(JsonTexts.quoted(key))
                .append(':')
                .append(value.strip()));
        ranks.put(info.rank().index(), json.append('}').toString());
    }

    /** Key to JSON text, in the order in which they are to be written. */
    Map<String, String> of(MergeSummary summary, MergeOptions options, long base) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("displayTimeUnit", "\"ns\"");
        if (base != 0) {
            all.put("baseTimeNanoseconds", Long.toString(base));
        }
        all.put("lockstepMerge", merge(summary, options));
        StringBuilder json = new StringBuilder("{");
        ranks.forEach((rank, text) -> json.append(json.length() == 1 ? "\n" : ",\n")
                .append('"')
                .append(rank)
                .append("\":")
                .append(text));
        all.put("lockstepRanks", json.append("\n}").toString());
        return all;
    }

    private static String merge(MergeSummary summary, MergeOptions options) {
        StringBuilder json = new StringBuilder("{\"version\":1,\"alignment\":")
                .append(summary.alignment())
                .append(
                        ",\"ids\":\"correlation, External id and flow ids are rank * 10000000000 + the recorded number\"")
                .append(",\"filters\":[");
        for (int i = 0; i < options.filter().conditions().size(); i++) {
            MergeFilter.Condition c = options.filter().conditions().get(i);
            json.append(i == 0 ? "" : ",").append(JsonTexts.quoted((c.keep() ? "keep " : "drop ") + c.text()));
        }
        if (options.filter().deviceOnly()) {
            json.append(options.filter().conditions().isEmpty() ? "" : ",").append("\"keep devices\"");
        }
        json.append("],\"ranks\":[");
        for (int i = 0; i < summary.ranks().size(); i++) {
            json.append(i == 0 ? "\n" : ",\n").append(part(summary.ranks().get(i)));
        }
        return json.append("\n]}").toString();
    }

    private static String part(MergeSummary.Part part) {
        StringBuilder json = new StringBuilder("{\"rank\":")
                .append(part.rank())
                .append(",\"source\":")
                .append(JsonTexts.quoted(part.source()))
                .append(",\"processes\":")
                .append(part.processes())
                .append(",\"slices\":")
                .append(part.slices())
                .append(",\"marks\":")
                .append(part.marks())
                .append(",\"flowEnds\":")
                .append(part.flowEnds())
                .append(",\"overlapping\":")
                .append(part.overlapping())
                .append(part.movedNs() == 0 ? "" : ",\"movedNs\":" + part.movedNs())
                .append(",\"leftOut\":{");
        int n = 0;
        for (Map.Entry<Reason, Long> e : part.leftOut().entrySet()) {
            json.append(n++ == 0 ? "" : ",")
                    .append(JsonTexts.quoted(e.getKey().text()))
                    .append(':')
                    .append(e.getValue());
        }
        json.append("},\"problems\":{");
        n = 0;
        for (Map.Entry<String, Long> e : part.unusable().entrySet()) {
            json.append(n++ == 0 ? "" : ",")
                    .append(JsonTexts.quoted(e.getKey()))
                    .append(':')
                    .append(e.getValue());
        }
        return json.append("}}").toString();
    }
}
