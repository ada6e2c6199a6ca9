// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.cli.command;

import dev.lockstep.cli.Arguments;
import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.UserException;
import dev.lockstep.goal.GoalOptions.PyTorch;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.model.NcclProtocol;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The options that say what traces of PyTorch's profiler do not. */
final class KinetoArguments {
    private final TraceChoice choice = new TraceChoice();
    private int gpusPerNode = -1;
    private int channels = -1;
    private @Nullable NcclProtocol protocol;
    private @Nullable NcclAlgorithm allReduce;
    private @Nullable Path topology;

    void declare(Arguments arguments) {
        choice.declare(arguments);
        arguments.number(
                "--gpus-per-node",
                "N",
                1,
                "Kineto: ranks of a node (default: by host names, else by the devices that the traces list).",
                given -> gpusPerNode = given);
        arguments.number(
                "--channels",
                "N",
                1,
                "Kineto: channels of every collective (default: as their kernels were launched).",
                given -> channels = given);
        arguments.option(
                "--protocol",
                "NAME",
                String.class,
                "Kineto: protocol of every collective, LL, LL128 or Simple (default: by size).",
                given -> protocol = protocol(given));
        arguments.option(
                "--all-reduce",
                "NAME",
                String.class,
                "Kineto: algorithm of all-reduces, ring, tree or nvls (default: as their kernels are named).",
                given -> allReduce = algorithm(given));
        arguments.option(
                "--topology",
                "FILE",
                Path.class,
                "Kineto: rings and trees, a line for each channel (default: made from the nodes).",
                given -> topology = given);
    }

    /** What the traces do not say. */
    PyTorch options() {
        return new PyTorch(choice.selection(), gpusPerNode, channels, protocol, allReduce, topology);
    }

    private static NcclProtocol protocol(String given) {
        for (NcclProtocol known : NcclProtocol.values()) {
            if (known.name().equalsIgnoreCase(given)) {
                return known;
            }
        }
        throw invalid("--protocol does not know '" + given + "'", "known: LL, LL128, Simple");
    }

    private static NcclAlgorithm algorithm(String given) {
        return switch (given.toLowerCase(Locale.ROOT)) {
            case "ring" -> NcclAlgorithm.RING;
            case "tree" -> NcclAlgorithm.TREE;
            case "nvls" -> NcclAlgorithm.NVLS_TREE;
            default -> throw invalid("--all-reduce does not know '" + given + "'", "known: ring, tree, nvls");
        };
    }

    private static UserException invalid(String message, @Nullable String hint) {
        return new UserException(ErrorCode.OPTION_INVALID, message, hint);
    }
}
