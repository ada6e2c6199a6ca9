// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.clocks.ClockLine;
import dev.lockstep.clocks.Clocks;
import dev.lockstep.clocks.RankRecording;
import dev.lockstep.error.FileNames;
import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
import dev.lockstep.model.TraceInfo;
import dev.lockstep.write.JsonTexts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The clocks as a <a href="https://perfetto.dev/docs/reference/perfetto-manifest">trace manifest of Perfetto</a>: beside
 * the files of the ranks in one archive, it makes Perfetto merge them on one timeline.
 */
final class ClockManifest {
    private static final double PPB = 1e9;

    private ClockManifest() {}

    /** The manifest; a file that holds several ranks is left out, since an entry stands for a whole file. */
    static String of(Clocks clocks) {
        List<TraceInfo> ranks = new ArrayList<>();
        for (int place = 0; place < clocks.size(); place++) {
            ranks.add(clocks.recording(place).info());
        }
        List<String> names = names(ranks);
        TraceInfo first = ranks.get(clocks.reference());
        String firstName = names.get(clocks.reference());
        StringBuilder json = new StringBuilder("{\"perfetto_manifest\":{\"version\":1,\n\"attributes\":{");
        json.append("\"lockstep.alignment\":\"collectives\",\"lockstep.reference_rank\":")
                .append(first.rank().index());
        for (int place = 0; place < clocks.size(); place++) {
            ClockLine line = clocks.line(place);
            String key = "\"lockstep.rank" + ranks.get(place).rank().index();
            boolean known = clocks.isAligned(place);
            json.append(",\n")
                    .append(key)
                    .append(".aligned\":\"")
                    .append(known ? "yes" : "no")
                    .append('"');
            if (known) {
                json.append(',').append(key).append(".error_ns\":").append(line.errorNs());
                json.append(',').append(key).append(".drift_ppb\":").append(Math.round(line.drift() * PPB));
            }
        }
        json.append("},\n\"files\":[");
        Set<String> written = new HashSet<>();
        for (int place = 0; place < clocks.size(); place++) {
            if (written.add(names.get(place))) {
                json.append(written.size() == 1 ? "\n" : ",\n")
                        .append(file(clocks, place, names.get(place), first, firstName));
            }
        }
        return json.append("\n]}}\n").toString();
    }

    private static String file(Clocks clocks, int place, String name, TraceInfo first, String firstName) {
        RankRecording rank = clocks.recording(place);
        String entry = "{\"path\":" + JsonTexts.quoted(name) + ",\"machine\":{\"name\":\"rank "
                + rank.info().rank().index() + "\"}";
        if (!clocks.isAligned(place) || name.equals(firstName)) {
            return entry + "}";
        }
        long middle = rank.from() + (rank.to() - rank.from()) / 2 + rank.info().originNs();
        long offset = rank.info().originNs() - clocks.line(place).ahead(middle) - first.originNs();
        boolean clocked = rank.info().format().equals(TraceFormat.PERFETTO.id());
        boolean referenceClocked = first.format().equals(TraceFormat.PERFETTO.id());
        return entry + ",\"clocks\":{" + (clocked ? "\"clock\":\"BOOTTIME\"," : "") + "\"sync_to\":{\"file\":"
                + JsonTexts.quoted(firstName) + (referenceClocked ? ",\"clock\":\"BOOTTIME\"" : "")
                + "},\"offset_ns\":" + offset + "}}";
    }

    /** The files' own names, as an archive holds them; where these are not distinct, with their directories. */
    private static List<String> names(List<TraceInfo> ranks) {
        List<Path> paths = new ArrayList<>();
        for (TraceInfo rank : ranks) {
            // Perfetto relates the clocks of traces, not of packed files.
            paths.add(FileNames.path(Packing.GZIP.removedFrom(rank.source())).normalize());
        }
        int files = new HashSet<>(paths).size();
        for (int depth = 1; depth < 16; depth++) {
            List<String> names = new ArrayList<>();
            for (Path path : paths) {
                int count = path.getNameCount();
                names.add(path.subpath(Math.max(0, count - depth), count)
                        .toString()
                        .replace('\\', '/'));
            }
            if (new HashSet<>(names).size() == files) {
                return names;
            }
        }
        return paths.stream().map(p -> String.format(Locale.ROOT, "%s", p)).toList();
    }
}
