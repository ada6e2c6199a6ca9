// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.merge;

import dev.lockstep.model.Packing;
import dev.lockstep.model.TraceFormat;
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
    static String of(List<ClockEvidence> ranks, ClockFit fit, int reference) {
        List<String> names = names(ranks);
        ClockEvidence first = ranks.get(fit.reference());
        String firstName = names.get(fit.reference());
        StringBuilder json = new StringBuilder("{\"perfetto_manifest\":{\"version\":1,\n\"attributes\":{");
        json.append("\"lockstep.alignment\":\"collectives\",\"lockstep.reference_rank\":")
                .append(reference);
        for (int i = 0; i < ranks.size(); i++) {
            ClockFit.Clock clock = fit.clocks().get(i);
            String key = "\"lockstep.rank" + ranks.get(i).collectives().rank();
            json.append(",\n")
                    .append(key)
                    .append(".aligned\":\"")
                    .append(clock.isKnown() ? "yes" : "no")
                    .append('"');
            if (clock.isKnown()) {
                json.append(',').append(key).append(".error_ns\":").append(clock.errorNs());
                json.append(',').append(key).append(".drift_ppb\":").append(Math.round(clock.drift() * PPB));
            }
        }
        json.append("},\n\"files\":[");
        Set<String> written = new HashSet<>();
        for (int i = 0; i < ranks.size(); i++) {
            if (written.add(names.get(i))) {
                json.append(written.size() == 1 ? "\n" : ",\n")
                        .append(file(ranks.get(i), names.get(i), fit.clocks().get(i), first, firstName));
            }
        }
        return json.append("\n]}}\n").toString();
    }

    private static String file(
            ClockEvidence rank, String name, ClockFit.Clock clock, ClockEvidence first, String firstName) {
        String entry = "{\"path\":" + JsonTexts.quoted(name) + ",\"machine\":{\"name\":\"rank "
                + rank.collectives().rank() + "\"}";
        if (!clock.isKnown() || name.equals(firstName)) {
            return entry + "}";
        }
        long middle = rank.first() + (rank.last() - rank.first()) / 2;
        long offset =
                rank.info().originNs() - clock.ahead(middle) - first.info().originNs();
        boolean clocked = rank.info().format().equals(TraceFormat.PERFETTO.id());
        boolean referenceClocked = first.info().format().equals(TraceFormat.PERFETTO.id());
        return entry + ",\"clocks\":{" + (clocked ? "\"clock\":\"BOOTTIME\"," : "") + "\"sync_to\":{\"file\":"
                + JsonTexts.quoted(firstName) + (referenceClocked ? ",\"clock\":\"BOOTTIME\"" : "")
                + "},\"offset_ns\":" + offset + "}}";
    }

    /** The files' own names, as an archive holds them; where these are not distinct, with their directories. */
    private static List<String> names(List<ClockEvidence> ranks) {
        List<Path> paths = new ArrayList<>();
        for (ClockEvidence rank : ranks) {
            // Perfetto relates the clocks of traces, not of packed files.
            paths.add(Path.of(Packing.GZIP.removedFrom(rank.info().source())).normalize());
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
