// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.fleet;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetRun.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How it is known where ranks run.
 *
 * @param hosts a file that says it, as CSV with the head {@code rank,node} or {@code rank,node,rack}; null for none
 * @param gpusPerNode so many ranks in a row share a node where nothing else says it, 0 when that is not known
 */
public record FleetPlaces(@Nullable Path hosts, int gpusPerNode) {
    /**
     * Where ranks are, as far as that is known: by the file, else by the trace, else by their number.
     *
     * @param recorded hosts that traces name, by rank
     * @param ranks of the run
     * @throws UserException when the file is not as expected
     */
    public Map<Integer, Place> of(Map<Integer, String> recorded, Set<Integer> ranks) throws IOException {
        Map<Integer, Place> said = hosts == null ? Map.of() : read(hosts);
        Map<Integer, Place> places = new HashMap<>();
        for (int rank : ranks) {
            String host = recorded.get(rank);
            Place place = said.get(rank);
            if (place != null) {
                places.put(rank, place);
            } else if (host != null) {
                places.put(rank, new Place(host, null));
            } else if (gpusPerNode > 0) {
                places.put(rank, new Place(Integer.toString(rank / gpusPerNode), null));
            }
        }
        return places;
    }

    private static Map<Integer, Place> read(Path file) throws IOException {
        List<String> lines = NamedFiles.settings(file).lines().toList();
        String head = lines.isEmpty() ? "" : lines.getFirst().replaceAll("^\ufeff| ", "");
        if (!head.equals("rank,node") && !head.equals("rank,node,rack")) {
            throw new UserException(
                    ErrorCode.OPTION_INVALID, file + ": line 1: expected rank,node or rank,node,rack", null);
        }
        Map<Integer, Place> places = new HashMap<>();
        for (int line = 1; line < lines.size(); line++) {
            String[] cells = lines.get(line).split(",", -1);
            if (lines.get(line).isBlank()) {
                continue;
            }
            boolean quoted = lines.get(line).indexOf('"') >= 0;
            if (quoted
                    || cells.length != head.split(",").length
                    || !cells[0].strip().matches("\\d{1,9}")) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        file + ": line " + (line + 1) + ": expected " + head + " without quotes, found "
                                + lines.get(line),
                        null);
            }
            if (cells[1].isBlank()) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        file + ": line " + (line + 1) + ": rank " + cells[0].strip() + " has no node",
                        "Leave out ranks whose node is not known.");
            }
            String rack = cells.length > 2 && !cells[2].isBlank() ? cells[2].strip() : null;
            if (places.put(Integer.parseInt(cells[0].strip()), new Place(cells[1].strip(), rack)) != null) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        file + ": line " + (line + 1) + ": rank " + cells[0].strip() + " has a node already",
                        "A rank runs in one place.");
            }
        }
        return places;
    }
}
