// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.NamedFiles;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetRun.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep fleet} that say which run is meant, and where its ranks are. */
final class FleetArguments {
    private @Nullable String run;
    private @Nullable Path hosts;
    private int gpusPerNode;

    void declare(Arguments arguments) {
        arguments.option("--run", "NAME", String.class, "Of a dataset, the run that is meant.", given -> run = given);
        arguments.option(
                "--hosts",
                "FILE",
                Path.class,
                "Where ranks run, as CSV: rank,node or rank,node,rack, with this head.",
                given -> hosts = given);
        arguments.option(
                "--gpus-per-node",
                "N",
                Integer.class,
                "So many ranks in a row share a node, where neither traces nor --hosts say it.",
                given -> {
                    if (given < 1) {
                        throw new UserException(
                                ErrorCode.OPTION_INVALID, "--gpus-per-node must be at least 1: " + given, null);
                    }
                    gpusPerNode = given;
                });
    }

    /** The run that is meant, null for the only one. */
    @Nullable
    String run() {
        return run;
    }

    /**
     * Where ranks are, as far as that is known.
     *
     * @param recorded hosts that traces name, by rank
     */
    Map<Integer, Place> places(Map<Integer, String> recorded, int[] ranks) throws IOException {
        if (hosts != null) {
            return read(hosts);
        }
        Map<Integer, Place> places = new HashMap<>();
        for (int rank : ranks) {
            String host = recorded.get(rank);
            if (host != null) {
                places.put(rank, new Place(host, null));
            } else if (gpusPerNode > 0) {
                places.put(rank, new Place(Integer.toString(rank / gpusPerNode), null));
            }
        }
        return places;
    }

    private static Map<Integer, Place> read(Path file) throws IOException {
        List<String> lines = NamedFiles.lines(file);
        String head = lines.isEmpty() ? "" : lines.getFirst().replace(" ", "");
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
            if (cells.length != head.split(",").length || !cells[0].strip().matches("\\d{1,9}")) {
                throw new UserException(
                        ErrorCode.OPTION_INVALID,
                        file + ": line " + (line + 1) + ": expected " + head + ", found " + lines.get(line),
                        null);
            }
            String rack = cells.length > 2 && !cells[2].isBlank() ? cells[2].strip() : null;
            places.put(Integer.parseInt(cells[0].strip()), new Place(cells[1].strip(), rack));
        }
        return places;
    }
}
