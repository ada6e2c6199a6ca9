// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.fleet.FleetPlaces;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of {@code lockstep fleet} that say which run is meant, and where its ranks are. */
final class FleetArguments {
    private static final String SPARK = "spark";
    private static final List<String> ENGINES = List.of("duckdb", SPARK);

    /** Another word for the first. */
    private static final String LOCAL = "local";

    private @Nullable String run;
    private @Nullable Path hosts;
    private int gpusPerNode;
    private String engine = ENGINES.getFirst();

    void declare(Arguments arguments) {
        arguments.option(
                "--engine",
                "NAME",
                String.class,
                "duckdb, or local: this machine, up to some hundred ranks (default). spark: traces on Spark, here for a trial.",
                given -> {
                    if (!ENGINES.contains(given) && !given.equals(LOCAL)) {
                        throw new UserException(
                                ErrorCode.OPTION_INVALID,
                                "--engine is one of " + String.join(", ", ENGINES) + ": " + given,
                                null);
                    }
                    engine = given;
                });
        arguments.option("--run", "NAME", String.class, "Of a dataset, the run that is meant.", given -> run = given);
        arguments.option(
                "--hosts",
                "FILE",
                Path.class,
                "Where ranks run, as CSV: rank,node or rank,node,rack, with this head.",
                given -> hosts = given);
        arguments.number(
                "--gpus-per-node",
                "N",
                1,
                "So many ranks in a row share a node, where neither traces nor --hosts say it.",
                given -> gpusPerNode = given);
    }

    /** The run that is meant, null for the only one. */
    @Nullable
    String run() {
        return run;
    }

    /** Whether Spark shall do it. */
    boolean onSpark() {
        return engine.equals(SPARK);
    }

    /** What Spark is told. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (hosts != null) {
            words.addAll(List.of("--hosts", hosts.toString()));
        }
        if (gpusPerNode > 0) {
            words.addAll(List.of("--gpus-per-node", Integer.toString(gpusPerNode)));
        }
        return words;
    }

    /** How it is known where ranks run. */
    FleetPlaces places() {
        return new FleetPlaces(hosts, gpusPerNode);
    }
}
