// SPDX-License-Identifier: Apache-2.0
package dev.lockstep.goal.algorithm;

import dev.lockstep.error.ErrorCode;
import dev.lockstep.error.TraceFormatException;
import dev.lockstep.goal.model.NcclAlgorithm;
import dev.lockstep.goal.recording.NcclFunction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A collective algorithm as a file states it: what one rank does on one channel with one round of data.
 *
 * @param file as messages name it
 * @param name of the algorithm
 * @param kind what it carries out
 * @param insteadOf the library's algorithms that it stands for; empty for all
 * @param workers groups of warps that work side by side
 * @param parts how many parts a round has; null where every rank has one
 * @param onlyIf which communicators it takes; null for all
 * @param slots places for values, its own names included
 * @param needsNodes whether it asks who shares a node
 * @param needsRound whether it asks which round it is; all rounds are alike otherwise
 * @param statements what is done in a round
 */
record StatedAlgorithm(
        String file,
        String name,
        NcclFunction kind,
        Set<NcclAlgorithm> insteadOf,
        int workers,
        @Nullable WholeFormula parts,
        @Nullable WholeFormula onlyIf,
        int slots,
        boolean needsNodes,
        boolean needsRound,
        List<StepStatement> statements) {
    static final int RANK = 0;
    static final int RANKS = 1;
    static final int CHANNEL = 2;
    static final int CHANNELS = 3;
    static final int CHUNK = 4;
    static final int ROOT = 5;
    static final int PLACE = 6;
    static final int NEXT = 7;
    static final int PREVIOUS = 8;
    static final int PARENT = 9;
    static final int CHILDREN = 10;
    static final int NODE = 11;
    static final int NODES = 12;
    static final int LOCAL = 13;
    static final int LOCALS = 14;
    static final int IN_PLACE = 15;
    static final int PARTS = 16;
    static final int OWN = 17;

    static final int AT = 0;
    static final int CHILD = 1;
    static final int MEMBER = 2;

    static final Map<String, Integer> NAMES = Map.ofEntries(
            Map.entry("rank", RANK),
            Map.entry("ranks", RANKS),
            Map.entry("channel", CHANNEL),
            Map.entry("channels", CHANNELS),
            Map.entry("chunk", CHUNK),
            Map.entry("root", ROOT),
            Map.entry("place", PLACE),
            Map.entry("next", NEXT),
            Map.entry("previous", PREVIOUS),
            Map.entry("parent", PARENT),
            Map.entry("children", CHILDREN),
            Map.entry("node", NODE),
            Map.entry("nodes", NODES),
            Map.entry("local", LOCAL),
            Map.entry("locals", LOCALS),
            Map.entry("in_place", IN_PLACE),
            Map.entry("parts", PARTS));

    static final Map<String, Integer> FUNCTIONS = Map.of("at", AT, "child", CHILD, "member", MEMBER);

    static final Set<String> PAIRS = Set.of("member");

    StatedAlgorithm {
        insteadOf = Set.copyOf(insteadOf);
        statements = List.copyOf(statements);
    }

    /** Whether it stands for that algorithm of the library. */
    boolean standsFor(NcclAlgorithm algorithm) {
        return insteadOf.isEmpty() || insteadOf.contains(algorithm);
    }

    /** Whether every rank has one part, which is of the same size for all: what is gathered or scattered. */
    boolean partForEachRank() {
        return kind == NcclFunction.ALL_GATHER || kind == NcclFunction.REDUCE_SCATTER;
    }

    /** A mistake in the file. */
    TraceFormatException wrong(int line, String problem, @Nullable String hint) {
        return new TraceFormatException(ErrorCode.FORMAT_CORRUPT, file, -1, "line " + line + ": " + problem, hint);
    }
}
